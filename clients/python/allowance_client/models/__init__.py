"""Contains all the data models used in inputs/outputs"""

from .account import Account
from .action_preview import ActionPreview
from .activity import Activity
from .activity_kind import ActivityKind
from .api_key import ApiKey
from .api_key_blocked_by_item import ApiKeyBlockedByItem
from .api_key_details import ApiKeyDetails
from .api_key_details_blocked_by_item import ApiKeyDetailsBlockedByItem
from .api_key_details_near_limits_item import ApiKeyDetailsNearLimitsItem
from .api_key_filter import ApiKeyFilter
from .api_key_filter_look import ApiKeyFilterLook
from .api_key_near_limits_item import ApiKeyNearLimitsItem
from .api_key_query import ApiKeyQuery
from .api_key_query_look import ApiKeyQueryLook
from .api_key_query_order import ApiKeyQueryOrder
from .api_key_query_sort import ApiKeyQuerySort
from .api_key_status import ApiKeyStatus
from .authorization import Authorization
from .authorize_input import AuthorizeInput
from .available import Available
from .available_after import AvailableAfter
from .capture_authorization_input import CaptureAuthorizationInput
from .change_many_api_keys_input import ChangeManyApiKeysInput
from .change_many_api_keys_input_action import ChangeManyApiKeysInputAction
from .change_many_api_keys_result import ChangeManyApiKeysResult
from .changed_api_key import ChangedApiKey
from .changed_api_key_blocked_by_item import ChangedApiKeyBlockedByItem
from .changed_api_key_near_limits_item import ChangedApiKeyNearLimitsItem
from .changed_saved_filter import ChangedSavedFilter
from .check import Check
from .check_authorization_input import CheckAuthorizationInput
from .checked_limit import CheckedLimit
from .create_api_key_input import CreateApiKeyInput
from .create_group_input import CreateGroupInput
from .create_many_api_keys_input import CreateManyApiKeysInput
from .create_many_api_keys_input_keys_item import CreateManyApiKeysInputKeysItem
from .create_many_api_keys_result import CreateManyApiKeysResult
from .create_saved_filter_input import CreateSavedFilterInput
from .created_api_key import CreatedApiKey
from .created_group import CreatedGroup
from .default_limits import DefaultLimits
from .delete_group_input import DeleteGroupInput
from .delete_group_result import DeleteGroupResult
from .delete_saved_filter_result import DeleteSavedFilterResult
from .disable_api_key_input import DisableApiKeyInput
from .enable_api_key_input import EnableApiKeyInput
from .error import Error
from .export_api_keys_look import ExportApiKeysLook
from .export_api_keys_order import ExportApiKeysOrder
from .export_api_keys_result import ExportApiKeysResult
from .export_api_keys_sort import ExportApiKeysSort
from .export_history_action import ExportHistoryAction
from .export_history_actor import ExportHistoryActor
from .export_history_format import ExportHistoryFormat
from .export_usage_totals_by import ExportUsageTotalsBy
from .failed_api_key import FailedApiKey
from .failed_api_key_values import FailedApiKeyValues
from .first_steps import FirstSteps
from .get_api_key_refusals_result import GetApiKeyRefusalsResult
from .get_api_key_refusals_result_data_item import GetApiKeyRefusalsResultDataItem
from .get_api_key_usage_result import GetApiKeyUsageResult
from .get_api_key_usage_result_data_item import GetApiKeyUsageResultDataItem
from .get_usage_by import GetUsageBy
from .get_usage_result import GetUsageResult
from .group import Group
from .group_details import GroupDetails
from .group_details_differing_limits_item import GroupDetailsDifferingLimitsItem
from .history_event import HistoryEvent
from .history_event_actor import HistoryEventActor
from .history_event_actor_kind import HistoryEventActorKind
from .history_event_after import HistoryEventAfter
from .history_event_before import HistoryEventBefore
from .history_key import HistoryKey
from .history_key_after import HistoryKeyAfter
from .history_key_before import HistoryKeyBefore
from .history_query import HistoryQuery
from .history_query_action import HistoryQueryAction
from .history_query_actor import HistoryQueryActor
from .language import Language
from .left_out_api_keys import LeftOutApiKeys
from .limit_change import LimitChange
from .limit_change_before_item import LimitChangeBeforeItem
from .limit_change_parameter import LimitChangeParameter
from .limits import Limits
from .limits_preview import LimitsPreview
from .list_api_key_activity_kind import ListApiKeyActivityKind
from .list_api_key_activity_result import ListApiKeyActivityResult
from .list_api_keys_look import ListApiKeysLook
from .list_api_keys_order import ListApiKeysOrder
from .list_api_keys_result import ListApiKeysResult
from .list_api_keys_sort import ListApiKeysSort
from .list_changed_api_keys_result import ListChangedApiKeysResult
from .list_group_names_result import ListGroupNamesResult
from .list_groups_result import ListGroupsResult
from .list_history_action import ListHistoryAction
from .list_history_actor import ListHistoryActor
from .list_history_result import ListHistoryResult
from .list_open_authorizations_result import ListOpenAuthorizationsResult
from .list_refused_api_keys_result import ListRefusedApiKeysResult
from .list_saved_filters_result import ListSavedFiltersResult
from .list_usage_totals_by import ListUsageTotalsBy
from .list_usage_totals_order import ListUsageTotalsOrder
from .list_usage_totals_result import ListUsageTotalsResult
from .list_usage_totals_sort import ListUsageTotalsSort
from .move_api_key_input import MoveApiKeyInput
from .named_api_key import NamedApiKey
from .named_group import NamedGroup
from .new_api_key import NewApiKey
from .not_reverted import NotReverted
from .open_authorization import OpenAuthorization
from .overview import Overview
from .overview_keys import OverviewKeys
from .overview_keys_at_limit import OverviewKeysAtLimit
from .overview_keys_expiring import OverviewKeysExpiring
from .overview_keys_near_limit import OverviewKeysNearLimit
from .overview_refusals import OverviewRefusals
from .overview_refusals_data_item import OverviewRefusalsDataItem
from .overview_spend import OverviewSpend
from .overview_spend_days_item import OverviewSpendDaysItem
from .overview_spend_last_month import OverviewSpendLastMonth
from .overview_spend_last_month_same_days import OverviewSpendLastMonthSameDays
from .overview_spend_projected import OverviewSpendProjected
from .overview_spend_this_month import OverviewSpendThisMonth
from .overview_spend_today import OverviewSpendToday
from .overview_spend_yesterday import OverviewSpendYesterday
from .refusal_code import RefusalCode
from .refused_api_key import RefusedApiKey
from .relative_change import RelativeChange
from .relative_changes import RelativeChanges
from .rename_api_key_input import RenameApiKeyInput
from .rename_saved_filter_input import RenameSavedFilterInput
from .revert_change_input import RevertChangeInput
from .revert_preview import RevertPreview
from .reverted_change import RevertedChange
from .reverted_field import RevertedField
from .reverted_field_values_item import RevertedFieldValuesItem
from .revoke_api_key_input import RevokeApiKeyInput
from .rotate_api_key_input import RotateApiKeyInput
from .rotated_api_key import RotatedApiKey
from .saved_filter import SavedFilter
from .search_groups_order import SearchGroupsOrder
from .search_groups_result import SearchGroupsResult
from .search_groups_sort import SearchGroupsSort
from .set_api_key_limits_input import SetApiKeyLimitsInput
from .set_api_key_limits_result import SetApiKeyLimitsResult
from .set_group_limits_input import SetGroupLimitsInput
from .set_group_limits_result import SetGroupLimitsResult
from .set_limits_of_many_api_keys_input import SetLimitsOfManyApiKeysInput
from .set_limits_of_many_api_keys_result import SetLimitsOfManyApiKeysResult
from .settled_authorization import SettledAuthorization
from .settled_authorization_state import SettledAuthorizationState
from .spent_of_day import SpentOfDay
from .update_account_input import UpdateAccountInput
from .update_group_input import UpdateGroupInput
from .update_group_result import UpdateGroupResult
from .update_group_result_differing_limits_item import UpdateGroupResultDifferingLimitsItem
from .usage_series import UsageSeries
from .usage_total import UsageTotal

__all__ = (
    "Account",
    "ActionPreview",
    "Activity",
    "ActivityKind",
    "ApiKey",
    "ApiKeyBlockedByItem",
    "ApiKeyDetails",
    "ApiKeyDetailsBlockedByItem",
    "ApiKeyDetailsNearLimitsItem",
    "ApiKeyFilter",
    "ApiKeyFilterLook",
    "ApiKeyNearLimitsItem",
    "ApiKeyQuery",
    "ApiKeyQueryLook",
    "ApiKeyQueryOrder",
    "ApiKeyQuerySort",
    "ApiKeyStatus",
    "Authorization",
    "AuthorizeInput",
    "Available",
    "AvailableAfter",
    "CaptureAuthorizationInput",
    "ChangedApiKey",
    "ChangedApiKeyBlockedByItem",
    "ChangedApiKeyNearLimitsItem",
    "ChangedSavedFilter",
    "ChangeManyApiKeysInput",
    "ChangeManyApiKeysInputAction",
    "ChangeManyApiKeysResult",
    "Check",
    "CheckAuthorizationInput",
    "CheckedLimit",
    "CreateApiKeyInput",
    "CreatedApiKey",
    "CreatedGroup",
    "CreateGroupInput",
    "CreateManyApiKeysInput",
    "CreateManyApiKeysInputKeysItem",
    "CreateManyApiKeysResult",
    "CreateSavedFilterInput",
    "DefaultLimits",
    "DeleteGroupInput",
    "DeleteGroupResult",
    "DeleteSavedFilterResult",
    "DisableApiKeyInput",
    "EnableApiKeyInput",
    "Error",
    "ExportApiKeysLook",
    "ExportApiKeysOrder",
    "ExportApiKeysResult",
    "ExportApiKeysSort",
    "ExportHistoryAction",
    "ExportHistoryActor",
    "ExportHistoryFormat",
    "ExportUsageTotalsBy",
    "FailedApiKey",
    "FailedApiKeyValues",
    "FirstSteps",
    "GetApiKeyRefusalsResult",
    "GetApiKeyRefusalsResultDataItem",
    "GetApiKeyUsageResult",
    "GetApiKeyUsageResultDataItem",
    "GetUsageBy",
    "GetUsageResult",
    "Group",
    "GroupDetails",
    "GroupDetailsDifferingLimitsItem",
    "HistoryEvent",
    "HistoryEventActor",
    "HistoryEventActorKind",
    "HistoryEventAfter",
    "HistoryEventBefore",
    "HistoryKey",
    "HistoryKeyAfter",
    "HistoryKeyBefore",
    "HistoryQuery",
    "HistoryQueryAction",
    "HistoryQueryActor",
    "Language",
    "LeftOutApiKeys",
    "LimitChange",
    "LimitChangeBeforeItem",
    "LimitChangeParameter",
    "Limits",
    "LimitsPreview",
    "ListApiKeyActivityKind",
    "ListApiKeyActivityResult",
    "ListApiKeysLook",
    "ListApiKeysOrder",
    "ListApiKeysResult",
    "ListApiKeysSort",
    "ListChangedApiKeysResult",
    "ListGroupNamesResult",
    "ListGroupsResult",
    "ListHistoryAction",
    "ListHistoryActor",
    "ListHistoryResult",
    "ListOpenAuthorizationsResult",
    "ListRefusedApiKeysResult",
    "ListSavedFiltersResult",
    "ListUsageTotalsBy",
    "ListUsageTotalsOrder",
    "ListUsageTotalsResult",
    "ListUsageTotalsSort",
    "MoveApiKeyInput",
    "NamedApiKey",
    "NamedGroup",
    "NewApiKey",
    "NotReverted",
    "OpenAuthorization",
    "Overview",
    "OverviewKeys",
    "OverviewKeysAtLimit",
    "OverviewKeysExpiring",
    "OverviewKeysNearLimit",
    "OverviewRefusals",
    "OverviewRefusalsDataItem",
    "OverviewSpend",
    "OverviewSpendDaysItem",
    "OverviewSpendLastMonth",
    "OverviewSpendLastMonthSameDays",
    "OverviewSpendProjected",
    "OverviewSpendThisMonth",
    "OverviewSpendToday",
    "OverviewSpendYesterday",
    "RefusalCode",
    "RefusedApiKey",
    "RelativeChange",
    "RelativeChanges",
    "RenameApiKeyInput",
    "RenameSavedFilterInput",
    "RevertChangeInput",
    "RevertedChange",
    "RevertedField",
    "RevertedFieldValuesItem",
    "RevertPreview",
    "RevokeApiKeyInput",
    "RotateApiKeyInput",
    "RotatedApiKey",
    "SavedFilter",
    "SearchGroupsOrder",
    "SearchGroupsResult",
    "SearchGroupsSort",
    "SetApiKeyLimitsInput",
    "SetApiKeyLimitsResult",
    "SetGroupLimitsInput",
    "SetGroupLimitsResult",
    "SetLimitsOfManyApiKeysInput",
    "SetLimitsOfManyApiKeysResult",
    "SettledAuthorization",
    "SettledAuthorizationState",
    "SpentOfDay",
    "UpdateAccountInput",
    "UpdateGroupInput",
    "UpdateGroupResult",
    "UpdateGroupResultDifferingLimitsItem",
    "UsageSeries",
    "UsageTotal",
)
