"""Contains all the data models used in inputs/outputs"""

from .account import Account
from .action_preview import ActionPreview
from .activity import Activity
from .activity_kind import ActivityKind
from .activity_usage_type_0 import ActivityUsageType0
from .allowance_window import AllowanceWindow
from .allowed_model import AllowedModel
from .allowed_model_owned_by import AllowedModelOwnedBy
from .allowed_model_prices import AllowedModelPrices
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
from .authorization_prices_type_0 import AuthorizationPricesType0
from .authorization_refusal_type_0 import AuthorizationRefusalType0
from .authorize_input import AuthorizeInput
from .available import Available
from .available_after import AvailableAfter
from .capture_authorization_input import CaptureAuthorizationInput
from .capture_authorization_input_usage import CaptureAuthorizationInputUsage
from .change_many_api_keys_input import ChangeManyApiKeysInput
from .change_many_api_keys_input_action import ChangeManyApiKeysInputAction
from .change_many_api_keys_result import ChangeManyApiKeysResult
from .changed_api_key import ChangedApiKey
from .changed_api_key_blocked_by_item import ChangedApiKeyBlockedByItem
from .changed_api_key_near_limits_item import ChangedApiKeyNearLimitsItem
from .changed_saved_filter import ChangedSavedFilter
from .check import Check
from .check_authorization_by_headers_allowance_scope import CheckAuthorizationByHeadersAllowanceScope
from .check_authorization_input import CheckAuthorizationInput
from .check_authorization_input_scope import CheckAuthorizationInputScope
from .check_refusal_type_0 import CheckRefusalType0
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
from .delete_model_result import DeleteModelResult
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
from .get_allowance_result import GetAllowanceResult
from .get_allowance_result_model_patterns_item import GetAllowanceResultModelPatternsItem
from .get_allowance_result_model_patterns_item_prices import GetAllowanceResultModelPatternsItemPrices
from .get_allowance_result_models_item import GetAllowanceResultModelsItem
from .get_allowance_result_models_item_prices import GetAllowanceResultModelsItemPrices
from .get_allowance_result_windows import GetAllowanceResultWindows
from .get_api_key_refusals_result import GetApiKeyRefusalsResult
from .get_api_key_refusals_result_data_item import GetApiKeyRefusalsResultDataItem
from .get_api_key_usage_result import GetApiKeyUsageResult
from .get_api_key_usage_result_data_item import GetApiKeyUsageResultDataItem
from .get_model_result import GetModelResult
from .get_model_result_prices import GetModelResultPrices
from .get_model_result_source import GetModelResultSource
from .get_model_result_state import GetModelResultState
from .get_usage_by import GetUsageBy
from .get_usage_result import GetUsageResult
from .group import Group
from .group_before import GroupBefore
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
from .import_models_input import ImportModelsInput
from .import_models_input_format import ImportModelsInputFormat
from .import_models_result import ImportModelsResult
from .import_models_result_changes_item import ImportModelsResultChangesItem
from .import_models_result_changes_item_after_type_0 import ImportModelsResultChangesItemAfterType0
from .import_models_result_changes_item_after_type_0_prices import ImportModelsResultChangesItemAfterType0Prices
from .import_models_result_changes_item_before_type_0 import ImportModelsResultChangesItemBeforeType0
from .import_models_result_changes_item_before_type_0_prices import ImportModelsResultChangesItemBeforeType0Prices
from .import_models_result_changes_item_change import ImportModelsResultChangesItemChange
from .import_models_result_skipped_item import ImportModelsResultSkippedItem
from .import_models_result_skipped_item_code import ImportModelsResultSkippedItemCode
from .language import Language
from .left_out_api_keys import LeftOutApiKeys
from .limit_change import LimitChange
from .limit_change_before_item import LimitChangeBeforeItem
from .limit_change_parameter import LimitChangeParameter
from .limits import Limits
from .limits_preview import LimitsPreview
from .limits_preview_models import LimitsPreviewModels
from .limits_preview_models_allowed import LimitsPreviewModelsAllowed
from .limits_preview_models_coming_item import LimitsPreviewModelsComingItem
from .limits_preview_models_going_item import LimitsPreviewModelsGoingItem
from .list_api_key_activity_kind import ListApiKeyActivityKind
from .list_api_key_activity_result import ListApiKeyActivityResult
from .list_api_key_models_result import ListApiKeyModelsResult
from .list_api_key_models_result_patterns_item import ListApiKeyModelsResultPatternsItem
from .list_api_key_models_result_patterns_item_owned_by import ListApiKeyModelsResultPatternsItemOwnedBy
from .list_api_key_models_result_patterns_item_prices import ListApiKeyModelsResultPatternsItemPrices
from .list_api_key_models_result_reason_type_0 import ListApiKeyModelsResultReasonType0
from .list_api_keys_look import ListApiKeysLook
from .list_api_keys_order import ListApiKeysOrder
from .list_api_keys_result import ListApiKeysResult
from .list_api_keys_sort import ListApiKeysSort
from .list_changed_api_keys_result import ListChangedApiKeysResult
from .list_changed_models_result import ListChangedModelsResult
from .list_changed_models_result_data_item import ListChangedModelsResultDataItem
from .list_changed_models_result_data_item_after_type_0 import ListChangedModelsResultDataItemAfterType0
from .list_changed_models_result_data_item_after_type_0_prices import ListChangedModelsResultDataItemAfterType0Prices
from .list_changed_models_result_data_item_before_type_0 import ListChangedModelsResultDataItemBeforeType0
from .list_changed_models_result_data_item_before_type_0_prices import ListChangedModelsResultDataItemBeforeType0Prices
from .list_changed_models_result_data_item_change import ListChangedModelsResultDataItemChange
from .list_group_names_result import ListGroupNamesResult
from .list_groups_result import ListGroupsResult
from .list_history_action import ListHistoryAction
from .list_history_actor import ListHistoryActor
from .list_history_result import ListHistoryResult
from .list_model_changes_result import ListModelChangesResult
from .list_model_changes_result_data_item import ListModelChangesResultDataItem
from .list_model_changes_result_data_item_after_type_0 import ListModelChangesResultDataItemAfterType0
from .list_model_changes_result_data_item_after_type_0_prices import ListModelChangesResultDataItemAfterType0Prices
from .list_model_changes_result_data_item_before_type_0 import ListModelChangesResultDataItemBeforeType0
from .list_model_changes_result_data_item_before_type_0_prices import ListModelChangesResultDataItemBeforeType0Prices
from .list_model_changes_result_data_item_change import ListModelChangesResultDataItemChange
from .list_models_in_force_result import ListModelsInForceResult
from .list_models_in_force_result_data_item import ListModelsInForceResultDataItem
from .list_models_in_force_result_data_item_prices import ListModelsInForceResultDataItemPrices
from .list_models_in_force_result_data_item_source import ListModelsInForceResultDataItemSource
from .list_models_order import ListModelsOrder
from .list_models_result import ListModelsResult
from .list_models_result_data_item import ListModelsResultDataItem
from .list_models_result_data_item_prices import ListModelsResultDataItemPrices
from .list_models_result_data_item_source import ListModelsResultDataItemSource
from .list_models_result_data_item_state import ListModelsResultDataItemState
from .list_models_sort import ListModelsSort
from .list_models_source import ListModelsSource
from .list_open_authorizations_result import ListOpenAuthorizationsResult
from .list_refused_api_keys_result import ListRefusedApiKeysResult
from .list_saved_filters_result import ListSavedFiltersResult
from .list_usage_totals_by import ListUsageTotalsBy
from .list_usage_totals_order import ListUsageTotalsOrder
from .list_usage_totals_result import ListUsageTotalsResult
from .list_usage_totals_sort import ListUsageTotalsSort
from .model_before import ModelBefore
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
from .refused_check import RefusedCheck
from .refused_check_refusal import RefusedCheckRefusal
from .relative_change import RelativeChange
from .relative_changes import RelativeChanges
from .rename_api_key_input import RenameApiKeyInput
from .rename_saved_filter_input import RenameSavedFilterInput
from .revert_change_input import RevertChangeInput
from .revert_preview import RevertPreview
from .revert_preview_models import RevertPreviewModels
from .revert_preview_models_allowed import RevertPreviewModelsAllowed
from .revert_preview_models_coming_item import RevertPreviewModelsComingItem
from .revert_preview_models_going_item import RevertPreviewModelsGoingItem
from .revert_preview_prices_item import RevertPreviewPricesItem
from .revert_preview_prices_item_after_type_0 import RevertPreviewPricesItemAfterType0
from .revert_preview_prices_item_after_type_0_prices import RevertPreviewPricesItemAfterType0Prices
from .revert_preview_prices_item_before_type_0 import RevertPreviewPricesItemBeforeType0
from .revert_preview_prices_item_before_type_0_prices import RevertPreviewPricesItemBeforeType0Prices
from .revert_preview_prices_item_change import RevertPreviewPricesItemChange
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
from .set_models_input import SetModelsInput
from .set_models_input_models_item import SetModelsInputModelsItem
from .set_models_result import SetModelsResult
from .set_models_result_changes_item import SetModelsResultChangesItem
from .set_models_result_changes_item_after_type_0 import SetModelsResultChangesItemAfterType0
from .set_models_result_changes_item_after_type_0_prices import SetModelsResultChangesItemAfterType0Prices
from .set_models_result_changes_item_before_type_0 import SetModelsResultChangesItemBeforeType0
from .set_models_result_changes_item_before_type_0_prices import SetModelsResultChangesItemBeforeType0Prices
from .set_models_result_changes_item_change import SetModelsResultChangesItemChange
from .settled_authorization import SettledAuthorization
from .settled_authorization_prices_type_0 import SettledAuthorizationPricesType0
from .settled_authorization_state import SettledAuthorizationState
from .settled_authorization_usage_type_0 import SettledAuthorizationUsageType0
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
    "ActivityUsageType0",
    "AllowanceWindow",
    "AllowedModel",
    "AllowedModelOwnedBy",
    "AllowedModelPrices",
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
    "AuthorizationPricesType0",
    "AuthorizationRefusalType0",
    "AuthorizeInput",
    "Available",
    "AvailableAfter",
    "CaptureAuthorizationInput",
    "CaptureAuthorizationInputUsage",
    "ChangedApiKey",
    "ChangedApiKeyBlockedByItem",
    "ChangedApiKeyNearLimitsItem",
    "ChangedSavedFilter",
    "ChangeManyApiKeysInput",
    "ChangeManyApiKeysInputAction",
    "ChangeManyApiKeysResult",
    "Check",
    "CheckAuthorizationByHeadersAllowanceScope",
    "CheckAuthorizationInput",
    "CheckAuthorizationInputScope",
    "CheckedLimit",
    "CheckRefusalType0",
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
    "DeleteModelResult",
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
    "GetAllowanceResult",
    "GetAllowanceResultModelPatternsItem",
    "GetAllowanceResultModelPatternsItemPrices",
    "GetAllowanceResultModelsItem",
    "GetAllowanceResultModelsItemPrices",
    "GetAllowanceResultWindows",
    "GetApiKeyRefusalsResult",
    "GetApiKeyRefusalsResultDataItem",
    "GetApiKeyUsageResult",
    "GetApiKeyUsageResultDataItem",
    "GetModelResult",
    "GetModelResultPrices",
    "GetModelResultSource",
    "GetModelResultState",
    "GetUsageBy",
    "GetUsageResult",
    "Group",
    "GroupBefore",
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
    "ImportModelsInput",
    "ImportModelsInputFormat",
    "ImportModelsResult",
    "ImportModelsResultChangesItem",
    "ImportModelsResultChangesItemAfterType0",
    "ImportModelsResultChangesItemAfterType0Prices",
    "ImportModelsResultChangesItemBeforeType0",
    "ImportModelsResultChangesItemBeforeType0Prices",
    "ImportModelsResultChangesItemChange",
    "ImportModelsResultSkippedItem",
    "ImportModelsResultSkippedItemCode",
    "Language",
    "LeftOutApiKeys",
    "LimitChange",
    "LimitChangeBeforeItem",
    "LimitChangeParameter",
    "Limits",
    "LimitsPreview",
    "LimitsPreviewModels",
    "LimitsPreviewModelsAllowed",
    "LimitsPreviewModelsComingItem",
    "LimitsPreviewModelsGoingItem",
    "ListApiKeyActivityKind",
    "ListApiKeyActivityResult",
    "ListApiKeyModelsResult",
    "ListApiKeyModelsResultPatternsItem",
    "ListApiKeyModelsResultPatternsItemOwnedBy",
    "ListApiKeyModelsResultPatternsItemPrices",
    "ListApiKeyModelsResultReasonType0",
    "ListApiKeysLook",
    "ListApiKeysOrder",
    "ListApiKeysResult",
    "ListApiKeysSort",
    "ListChangedApiKeysResult",
    "ListChangedModelsResult",
    "ListChangedModelsResultDataItem",
    "ListChangedModelsResultDataItemAfterType0",
    "ListChangedModelsResultDataItemAfterType0Prices",
    "ListChangedModelsResultDataItemBeforeType0",
    "ListChangedModelsResultDataItemBeforeType0Prices",
    "ListChangedModelsResultDataItemChange",
    "ListGroupNamesResult",
    "ListGroupsResult",
    "ListHistoryAction",
    "ListHistoryActor",
    "ListHistoryResult",
    "ListModelChangesResult",
    "ListModelChangesResultDataItem",
    "ListModelChangesResultDataItemAfterType0",
    "ListModelChangesResultDataItemAfterType0Prices",
    "ListModelChangesResultDataItemBeforeType0",
    "ListModelChangesResultDataItemBeforeType0Prices",
    "ListModelChangesResultDataItemChange",
    "ListModelsInForceResult",
    "ListModelsInForceResultDataItem",
    "ListModelsInForceResultDataItemPrices",
    "ListModelsInForceResultDataItemSource",
    "ListModelsOrder",
    "ListModelsResult",
    "ListModelsResultDataItem",
    "ListModelsResultDataItemPrices",
    "ListModelsResultDataItemSource",
    "ListModelsResultDataItemState",
    "ListModelsSort",
    "ListModelsSource",
    "ListOpenAuthorizationsResult",
    "ListRefusedApiKeysResult",
    "ListSavedFiltersResult",
    "ListUsageTotalsBy",
    "ListUsageTotalsOrder",
    "ListUsageTotalsResult",
    "ListUsageTotalsSort",
    "ModelBefore",
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
    "RefusedCheck",
    "RefusedCheckRefusal",
    "RelativeChange",
    "RelativeChanges",
    "RenameApiKeyInput",
    "RenameSavedFilterInput",
    "RevertChangeInput",
    "RevertedChange",
    "RevertedField",
    "RevertedFieldValuesItem",
    "RevertPreview",
    "RevertPreviewModels",
    "RevertPreviewModelsAllowed",
    "RevertPreviewModelsComingItem",
    "RevertPreviewModelsGoingItem",
    "RevertPreviewPricesItem",
    "RevertPreviewPricesItemAfterType0",
    "RevertPreviewPricesItemAfterType0Prices",
    "RevertPreviewPricesItemBeforeType0",
    "RevertPreviewPricesItemBeforeType0Prices",
    "RevertPreviewPricesItemChange",
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
    "SetModelsInput",
    "SetModelsInputModelsItem",
    "SetModelsResult",
    "SetModelsResultChangesItem",
    "SetModelsResultChangesItemAfterType0",
    "SetModelsResultChangesItemAfterType0Prices",
    "SetModelsResultChangesItemBeforeType0",
    "SetModelsResultChangesItemBeforeType0Prices",
    "SetModelsResultChangesItemChange",
    "SettledAuthorization",
    "SettledAuthorizationPricesType0",
    "SettledAuthorizationState",
    "SettledAuthorizationUsageType0",
    "SpentOfDay",
    "UpdateAccountInput",
    "UpdateGroupInput",
    "UpdateGroupResult",
    "UpdateGroupResultDifferingLimitsItem",
    "UsageSeries",
    "UsageTotal",
)
