package codegen_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// supplierCalcs are the computed values of a supplier.
const supplierCalcs = `package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

var supplierCalcs = []expose.Calc{
	{
		Name: "distance", Shape: expose.Decimal, Example: 1.5,
		Comment: "How far they are from a point, in degrees.",
		Input: []ent.Field{
			expose.Range(field.Float("lat"), -90, 90).Comment("The latitude of the point."),
			expose.Range(field.Float("lng"), -180, 180).Comment("Its longitude."),
		},
		SQL: ` + "`sqrt(power({row}.\"lat\" - :lat, 2) + power({row}.\"lng\" - :lng, 2))`" + `,
	},
	{
		Name: "order_with", Shape: expose.Amount, Currency: "currency", Example: 20.99,
		Comment: "The smallest order with so many percent on it.",
		Input:   []ent.Field{expose.Range(field.Int64("percent"), -100, 100).Default(10).Comment("How many percent.")},
		SQL:     ` + "`({row}.\"minimum_order\" * (100 + :percent) + 50) / 100`" + `,
	},
	{
		Name: "age_in_days", Shape: expose.Count, Example: 12,
		Comment:  "For how many days they have been known.",
		Postgres: ` + "`floor(EXTRACT(EPOCH FROM (:now - {row}.\"created_at\")) / 86400)`" + `,
		SQLite:   ` + "`floor(julianday(:now) - julianday({row}.\"created_at\"))`" + `,
	},
	{
		Name: "matches", Shape: expose.Flag, Example: true,
		Comment:  "Whether the name has the word.",
		Input:    []ent.Field{expose.Length(field.String("word"), 1, 20).Comment("The word.")},
		Postgres: ` + "`position(lower(:word) IN lower({row}.\"name\")) > 0`" + `,
		SQLite:   ` + "`instr(lower({row}.\"name\"), lower(:word)) > 0`" + `,
	},
	{
		Name: "margin_with", Shape: expose.Decimal, Example: 0.5,
		Comment: "What would be earned.",
		Input:   []ent.Field{field.Float("more").Default(0).Comment("What is added.")},
		SQL:     ` + "`{row}.\"margin\" + :more`" + `,
	},
}
`

// driveCalcs reads, filters and sorts suppliers by values that are computed with
// arguments, in both APIs and in the names of another version.
func driveCalcs(t *testing.T, binary, database string) {
	dir := t.TempDir()
	env := []string{
		"ENTWINE_DATABASE_URL=" + database, "ENTWINE_DATA_DIR=" + dir, "ENTWINE_ADDR=127.0.0.1:0",
		"ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_BCRYPT_COST=4",
	}
	admin := &driven{t: t, url: serve(t, binary, env)}
	admin.token = shell(t, dir, env, binary, "token", "admin@example.com")
	shell(t, dir, env, binary, "user", "create", "--password", "password1", "uma@example.com", "Uma")
	user := &driven{t: t, url: admin.url, token: shell(t, dir, env, binary, "token", "uma@example.com")}
	for _, body := range []string{
		`{"name":"North Ltd","lat":60,"lng":10,"minimum_order":20}`,
		`{"name":"South Ltd","lat":-30,"lng":10,"minimum_order":10.05}`,
		`{"name":"East Ltd","lat":0,"lng":50,"minimum_order":1500,"currency":"JPY"}`,
		`{"name":"Nowhere Ltd","minimum_order":0}`,
	} {
		user.rest("POST", "/suppliers", body, 201)
	}
	for query, want := range map[string][]string{
		"distance.lat=0&distance.lng=10&sort=distance":                   {"South", "East", "North", "Nowhere"},
		"distance.lat=0&distance.lng=10&sort=-distance":                  {"North", "East", "South", "Nowhere"},
		"distance.lat=0&distance.lng=10&distance[lte]=40&sort=name":      {"East", "South"},
		"distance.lat=0&distance.lng=10&distance[gt]=30&distance[lt]=50": {"East"},
		"distance.lat=-30&distance.lng=10&distance[in]=0,90&sort=name":   {"North", "South"},
		"sort=-order_with,name&fields=name":                              {"East", "North", "South", "Nowhere"},
		"order_with[gte]=11.06&order_with[lte]=22&sort=name&fields=name": {"North", "South"},
		"order_with.percent=-50&order_with=5.03&fields=name":             {"South"},
		"age_in_days=0&sort=name&fields=name":                            {"East", "North", "Nowhere", "South"},
		"age_in_days[gt]=0":                                              nil,
		"matches.word=NO&matches=true&sort=name":                         {"North", "Nowhere"},
		"matches.word=no&sort=-matches,-name&fields=name":                {"Nowhere", "North", "South", "East"},
	} {
		if got := names(user.list("/suppliers?" + query)); !slices.Equal(got, want) {
			t.Errorf("GET /suppliers?%s: %v, want %v", query, got, want)
		}
	}
	for query, want := range map[string]string{
		"name=South+Ltd&fields=distance,order_with,age_in_days&distance.lat=0&distance.lng=10": `[{"age_in_days":0,"distance":30,"order_with":11.06}]`,
		"name=East+Ltd&fields=order_with&order_with.percent=1":                                 `[{"order_with":1515}]`,
		"name=Nowhere+Ltd&fields=distance&distance.lat=0&distance.lng=10":                      `[{"distance":null}]`,
	} {
		if got, _ := json.Marshal(user.list("/suppliers?" + query)); string(got) != want {
			t.Errorf("GET /suppliers?%s: %s, want %s", query, got, want)
		}
	}
	path := fmt.Sprintf("/suppliers/%v", user.list("/suppliers?name=North+Ltd&fields=id")[0].(map[string]any)["id"])
	if item := user.rest("GET", path+"?distance.lat=59&distance.lng=10", "", 200); item["distance"] != 1.0 || item["name"] != "North Ltd" || item["order_with"] != nil {
		t.Errorf("GET %s with arguments: %v", path, item)
	}
	if item := user.rest("PATCH", path+"?fields=distance&distance.lat=59&distance.lng=10", `{"lng":11}`, 200); fmt.Sprint(item["distance"])[:6] != "1.4142" {
		t.Errorf("PATCH %s with arguments: %v", path, item)
	}
	user.rest("PATCH", path, `{"lng":10}`, 200)
	refuseCalcs(user)
	graphCalcs(user, admin)
}

// refuseCalcs asks for what is wrong, and for what is not the caller's.
func refuseCalcs(user *driven) {
	t := user.t
	const point = "distance.lat=0&distance.lng=10"
	for query, want := range map[string]string{
		"sort=distance":                               `"field":"distance.lat","message":"is required"`,
		"distance[lte]=x&distance.lat=0":              `"field":"distance.lng","message":"is required"`,
		"distance.lat=91&distance.lng=10":             `"field":"distance.lat","message":"must be -90 to 90","value":"91"`,
		"distance.lat=north&distance.lng=10":          `"field":"distance.lat","message":"must be a number"`,
		point + "&distance[lte]=far":                  `"field":"distance[lte]","message":"must be a number"`,
		point + "&distance.alt=3":                     `"field":"distance.alt","message":"is not a parameter`,
		"matches.word=" + strings.Repeat("a", 21):     `"field":"matches.word","message":"must be 1 to 20 characters`,
		"margin_with.more=1":                          `"field":"margin_with.more","message":"is not a parameter`,
		"fields=margin_with":                          `"field":"fields"`,
		"sort=margin_with":                            `"field":"sort"`,
		"margin_with[gt]=0":                           `"field":"margin_with[gt]","message":"is not a parameter`,
		"fields=name,parent.distance&expand=parent":   `needs the argument lat`,
		"distance.lat=0%27%29+OR+1=1&distance.lng=10": `"field":"distance.lat","message":"must be a number"`,
	} {
		if status, answer := user.send("GET", "/api/v1/suppliers?"+query, ""); status != 400 || !strings.Contains(string(answer), want) {
			t.Errorf("GET /suppliers?%s: %d %s, want 400 with %s", query, status, answer, want)
		}
	}
	status, answer := user.send("GET", "/api/v2/suppliers?orderWith.percent=x&ageInDays[gte]=y", "")
	if status != 400 || !strings.Contains(string(answer), `"orderWith.percent"`) || !strings.Contains(string(answer), `"ageInDays[gte]"`) {
		t.Errorf("in the names of another version: %d %s", status, answer)
	}
	status, answer = user.send("GET", "/api/v2/suppliers?orderWith.percent=-100&fields=orderWith,ageInDays&sort=-orderWith&limit=1", "")
	if status != 200 || !strings.Contains(string(answer), `{"orderWith":0,"ageInDays":0}`) {
		t.Errorf("in the names of another version: %d %s", status, answer)
	}
	// A cursor belongs to the arguments that it was made with.
	var page struct {
		Pagination struct {
			Next string `json:"next_cursor"`
		} `json:"pagination"`
	}
	_, answer = user.send("GET", "/api/v1/suppliers?"+point+"&sort=distance&limit=2&cursor=", "")
	if err := json.Unmarshal(answer, &page); err != nil || page.Pagination.Next == "" {
		t.Fatalf("no cursor: %s", answer)
	}
	next := "&sort=distance&limit=2&cursor=" + url.QueryEscape(page.Pagination.Next)
	if got := names(user.list("/suppliers?" + point + next)); !slices.Equal(got, []string{"North", "Nowhere"}) {
		t.Errorf("the second page: %v", got)
	}
	if status, answer := user.send("GET", "/api/v1/suppliers?distance.lat=1&distance.lng=10"+next, ""); status != 400 {
		t.Errorf("a cursor of other arguments: %d %s, want 400", status, answer)
	}
}

// graphCalcs asks for the same in GraphQL.
func graphCalcs(user, admin *driven) {
	t := user.t
	got, _ := json.Marshal(user.graphql(`query($word: String!) {
		near: suppliersConnection(where: {distance: {lat: 0, lng: 10, lte: 40}}, orderBy: [{field: DISTANCE, distance: {lat: 0, lng: 10}}]) {
			totalCount nodes { name distance(lat: 0, lng: 10) other: distance(lat: -30, lng: 10) orderWith cheap: orderWith(percent: -100) matches(word: $word) ageInDays }
		}
		paged: suppliersConnection(first: 1, where: {not: {matches: {word: $word, eq: true}}, ageInDays: {in: [0], isNil: false}}, orderBy: [{field: AGE_IN_DAYS}, {field: ORDER_WITH, direction: DESC}]) {
			pageInfo { endCursor } nodes { name parent { distance(lat: 1, lng: 2) } }
		}
	}`, "word", "so"))
	if want := `"near":{"nodes":[{"ageInDays":0,"cheap":0,"distance":30,"matches":true,"name":"South Ltd","orderWith":11.06,"other":0},` +
		`{"ageInDays":0,"cheap":0,"distance":40,"matches":false,"name":"East Ltd","orderWith":1650,"other":50}],"totalCount":2}`; !strings.Contains(string(got), want) {
		t.Errorf("graphql: %s, want %s", got, want)
	}
	if !strings.Contains(string(got), `"nodes":[{"name":"East Ltd","parent":null}]`) {
		t.Errorf("graphql: %s, want the dearest that do not match", got)
	}
	for query, want := range map[string]string{
		`{ suppliersConnection(where: {distance: {lat: 91, lng: 10, lte: 4}}) { totalCount } }`:                `where.distance.lat: must be -90 to 90`,
		`{ suppliersConnection(where: {distance: {lat: 1, lng: 10}}) { totalCount } }`:                         `where.distance: needs a comparison`,
		`{ suppliersConnection(orderBy: [{field: DISTANCE}]) { totalCount } }`:                                 `orderBy[0].distance: is required`,
		`{ suppliersConnection(orderBy: [{field: NAME, distance: {lat: 1, lng: 2}}]) { totalCount } }`:         `orderBy[0].distance: are arguments of another order`,
		`{ suppliersConnection(orderBy: [{field: DISTANCE, distance: {lat: 1, lng: 200}}]) { totalCount } }`:   `orderBy[0].distance.lng: must be -180 to 180`,
		`{ suppliersConnection(first: 1) { nodes { distance(lat: 1, lng: 200) } } }`:                           `lng: must be -180 to 180`,
		`{ suppliersConnection(first: 1) { nodes { marginWith } } }`:                                           `FORBIDDEN`,
		`{ suppliersConnection(where: {marginWith: {gt: 0}}) { totalCount } }`:                                 `FORBIDDEN`,
		`{ suppliersConnection(orderBy: [{field: MARGIN_WITH}]) { totalCount } }`:                              `FORBIDDEN`,
		`{ suppliersConnection(where: {matches: {word: "a", eq: true, neq: null}}) { totalCount } }`:           `where.matches.neq: must not be null`,
		`{ suppliersConnection(where: {matches: {word: "a", gt: true}}) { totalCount } }`:                      `GRAPHQL_VALIDATION_FAILED`,
		`{ suppliersConnection(orderBy: [{field: AGE_IN_DAYS}, {field: AGE_IN_DAYS}]) { totalCount } }`:        `is there twice`,
		`{ suppliersConnection { nodes { branchesConnection(where: {distance: {lat: 0}}) { totalCount } } } }`: `GRAPHQL_VALIDATION_FAILED`,
	} {
		if _, answer := user.send("POST", "/graphql", encoded(query)); !strings.Contains(string(answer), want) {
			t.Errorf("%s: %s, want %s", query, answer, want)
		}
	}
	if got, _ := json.Marshal(admin.graphql(`{ suppliersConnection(first: 1, where: {marginWith: {isNil: true}}, orderBy: [{field: MARGIN_WITH, marginWith: {more: 2}}]) { nodes { marginWith(more: 1) } } }`)); string(got) != `{"suppliersConnection":{"nodes":[{"marginWith":null}]}}` {
		t.Errorf("graphql of an admin: %s", got)
	}
	_, answer := user.send("POST", "/graphql", encoded(`{ suppliersConnection(first: 1, where: {matches: {word: "a", eq: true}}, orderBy: [{field: DISTANCE, distance: {lat: 1, lng: 2}}]) { nodes { id } } }`))
	if !strings.Contains(string(answer), `"requested":203`) {
		t.Errorf("the cost of a filter and of an order by computed values: %s, want 200 and 3 fields", answer)
	}
}
