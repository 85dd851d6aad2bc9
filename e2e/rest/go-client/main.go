// The calls of a gateway's program in Go, with the client that oapi-codegen makes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.com/program/allowance"
)

func main() {
	ctx := context.Background()
	client, err := allowance.NewClientWithResponses(os.Getenv("BASE"), allowance.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
			return nil
		}))
	check(err)

	group, err := client.CreateGroupWithResponse(ctx, allowance.CreateGroupInput{Name: "Research"})
	check(err)
	groupId := need(group.JSON201, group.Body).GroupId
	groups, err := client.ListGroupsWithResponse(ctx)
	check(err)
	count := len(need(groups.JSON200, groups.Body).Data)

	key, err := client.CreateApiKeyWithResponse(ctx, allowance.CreateApiKeyInput{Name: "production", GroupId: &groupId})
	check(err)
	apikey := need(key.JSON201, key.Body).Apikey
	budget := 1234567.89
	limits, err := client.SetApiKeyLimitsWithResponse(ctx, apikey[:10], allowance.SetApiKeyLimitsInput{Budget: &budget})
	check(err)
	stored := need(limits.JSON200, limits.Body).Budget
	daily := 1000000.01
	ofGroup, err := client.SetGroupLimitsWithResponse(ctx, groupId, allowance.SetGroupLimitsInput{DailyLimit: &daily})
	check(err)
	updated := need(ofGroup.JSON200, ofGroup.Body).UpdatedCount

	held, err := client.AuthorizeWithResponse(ctx, read[allowance.AuthorizeInput](map[string]any{"apikey": apikey, "amount": 2.5}))
	check(err)
	authorization := need(held.JSON200, held.Body)
	settled, err := client.CaptureAuthorizationWithResponse(ctx, *authorization.AuthorizationId,
		read[allowance.CaptureAuthorizationInput](map[string]any{"amount": 2.1}))
	check(err)

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"groups": count, "apikey": apikey, "budget": stored, "updated": updated, "allowed": authorization.Allowed,
		"captured": need(settled.JSON200, settled.Body).Amount,
	}))
}

// The body of a success; ends the program where the answer is another.
func need[Answer any](answer *Answer, body []byte) *Answer {
	if answer == nil {
		check(fmt.Errorf("%s", body))
	}
	return answer
}

// A body with these parameters, whichever of its fields are optional.
func read[Body any](parameters map[string]any) Body {
	var body Body
	text, err := json.Marshal(parameters)
	check(err)
	check(json.Unmarshal(text, &body))
	return body
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
