package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/kittest/apptest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"

	"example.com/acme/notes/ent/job"
	"example.com/acme/notes/ent/orm"
	"example.com/acme/notes/ent/site"
)

// world is the service over one database.
type world struct {
	*testing.T
	*apptest.Server
	host *app.Host
}

func each(t *testing.T, test func(w *world)) {
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.Schema{}.SQLiteURL, "postgres": storetest.Schema{}.PostgresURL} {
		t.Run(name, func(t *testing.T) {
			w := &world{T: t}
			s := program()
			s.Open = func(h *app.Host) (*app.Parts, error) {
				w.host = h
				return open(h)
			}
			w.Server = apptest.Serve(t, s, "ENTWINE_DATABASE_URL="+url(t), "ENTWINE_LOG_LEVEL=error", "ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_INTROSPECTION=true")
			w.SignUp("Ada Lovelace")
			test(w)
		})
	}
}

// asks sends a request, whose answer has to have the status, and returns its body.
func (w *world) asks(status int, method, path, body string, want ...string) string {
	w.Helper()
	text, _ := w.sends(status, method, path, body, nil, want...)
	return text
}

func (w *world) sends(status int, method, path, body string, header http.Header, want ...string) (string, http.Header) {
	w.Helper()
	r := httptest.NewRequestWithContext(w.Context(), method, path, strings.NewReader(body))
	r.Header = w.Header.Clone()
	for name, values := range header {
		r.Header[name] = values
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	out := httptest.NewRecorder()
	w.ServeHTTP(out, r)
	text := out.Body.String()
	if out.Code != status {
		w.Errorf("%s %s %s: %d %s, want %d", method, path, body, out.Code, text, status)
	}
	for _, part := range want {
		if !strings.Contains(text, part) {
			w.Errorf("%s %s %s: %s, want %s", method, path, body, text, part)
		}
	}
	return text, out.Header()
}

// id is the id in an answer of REST.
func (w *world) id(text string) string {
	w.Helper()
	var answer struct {
		Data struct{ ID string }
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Data.ID == "" {
		w.Fatalf("no id in %s: %v", text, err)
	}
	return answer.Data.ID
}

// query sends a document of GraphQL.
func (w *world) query(document string, want ...string) string {
	w.Helper()
	body, err := json.Marshal(map[string]string{"query": document})
	if err != nil {
		w.Fatal(err)
	}
	return w.asks(200, "POST", "/graphql", string(body), want...)
}

func global(typ, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(typ + ":" + id))
}

// seeds makes two regions and a site in one, and returns its id.
func (w *world) seeds() string {
	w.Helper()
	w.asks(201, "POST", "/api/v1/regions", `{"id":"eu-west","name":"Europe"}`, `"id":"eu-west"`)
	w.asks(201, "POST", "/api/v1/regions", `{"id":"Ünï codé","name":"Elsewhere"}`)
	return w.id(w.asks(201, "POST", "/api/v1/sites", `{"name":"Mill","region_id":"eu-west"}`, `"region_id":"eu-west"`, `"owner_id":`))
}

const none = "0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d"

func TestREST(t *testing.T) {
	each(t, func(w *world) {
		site := w.seeds()
		if id, err := uuid.Parse(site); err != nil || id.Version() != 7 {
			w.Fatalf("the id of a site is %s", site)
		}
		v1 := "/api/v1/sites/" + site
		_, header := w.sends(201, "POST", "/api/v1/sites", `{"name":"Dam","region_id":"eu-west","main_id":"`+strings.ToUpper(site)+`"}`, nil, `"main_id":"`+site+`"`)
		dam := strings.TrimPrefix(header.Get("Location"), "/api/v1/sites/")
		w.asks(200, "GET", header.Get("Location"), "", `"name":"Dam"`)

		w.asks(200, "GET", v1+"?expand=region,owner,main", "", `"region":{"id":"eu-west"`, `"owner":{"id":`)
		w.asks(200, "GET", "/api/v1/sites/"+strings.ToUpper(site), "", `"id":"`+site+`"`)
		w.asks(404, "GET", "/api/v1/sites/"+none, "", "NOT_FOUND")
		w.asks(400, "GET", "/api/v1/sites/7", "", "must be a UUID")
		w.asks(200, "GET", "/api/v1/regions/"+url.PathEscape("Ünï codé"), "", `"name":"Elsewhere"`)
		w.asks(404, "GET", "/api/v1/regions/nowhere", "", "NOT_FOUND")

		w.asks(200, "GET", "/api/v1/sites?region_id=eu-west&sort=name", "", `"name":"Dam"`, `"name":"Mill"`, `"total":2`)
		w.asks(200, "GET", "/api/v1/sites?region=nowhere", "", `"total":0`)
		w.asks(200, "GET", "/api/v1/sites?main_id="+site, "", `"name":"Dam"`, `"total":1`)
		w.asks(200, "GET", "/api/v1/sites?id[in]="+site+","+none, "", `"total":1`)
		w.asks(200, "GET", "/api/v1/sites?main_id[in]="+site+","+none, "", `"total":1`)
		w.asks(400, "GET", "/api/v1/sites?main_id=7", "", "must be a UUID")
		w.asks(200, "GET", "/api/v1/regions/eu-west/sites?limit=1", "", `"total":2`)
		w.asks(200, "GET", "/api/v1/regions?expand=sites", "", `"sites":[{"id":"`)

		seen, next := 0, ""
		for range 2 {
			page := w.asks(200, "GET", "/api/v1/sites?limit=1&cursor="+next, "", `"next_cursor"`)
			var answer struct {
				Data       []struct{ ID string }
				Pagination struct {
					NextCursor string `json:"next_cursor"`
				}
			}
			if err := json.Unmarshal([]byte(page), &answer); err != nil {
				w.Fatal(err)
			}
			seen, next = seen+len(answer.Data), answer.Pagination.NextCursor
		}
		if seen != 2 || next != "" {
			w.Errorf("by cursors %d sites are seen, and then %q", seen, next)
		}
		keyset := w.asks(200, "GET", "/api/v1/sites?limit=1&after=", "", `"after_id":"`)
		var by struct {
			Links struct{ Next string }
		}
		if err := json.Unmarshal([]byte(keyset), &by); err != nil || by.Links.Next == "" {
			w.Fatalf("no next page in %s: %v", keyset, err)
		}
		w.asks(200, "GET", by.Links.Next, "", `"name":"Mill"`)

		_, header = w.sends(200, "GET", v1, "", nil)
		tag := http.Header{"If-Match": {header.Get("ETag")}}
		w.sends(200, "PATCH", v1, `{"name":"Old Mill","region_id":"Ünï codé"}`, tag, `"region_id":"Ünï codé"`)
		w.sends(412, "PATCH", v1, `{"name":"Mill"}`, tag)
		w.asks(422, "PATCH", v1, `{"region_id":"nowhere"}`, `"field":"region_id"`)
		w.asks(400, "PATCH", v1, `{"region_id":7}`, `"field":"region_id"`)
		w.asks(400, "PATCH", v1, `{"main_id":"x"}`, `"field":"main_id"`)
		w.asks(200, "PATCH", v1, `{"id":"`+site+`","name":"Mill"}`, `"name":"Mill"`)
		w.asks(200, "PUT", v1, `{"name":"Mill","region_id":"eu-west"}`, `"main_id":null`)
		w.asks(200, "POST", v1+"/close", "", `"closed":true`)
		w.asks(200, "POST", v1+"/open", "", `"closed":false`)

		for _, bad := range []string{"a/b", ".", "..", "a,b", "", "a\\u0007"} {
			w.asks(400, "POST", "/api/v1/regions", `{"id":"`+bad+`","name":"Bad"}`, `"field":"id"`)
		}
		w.asks(422, "POST", "/api/v1/regions", `{"id":"`+strings.Repeat("x", 41)+`","name":"Bad"}`, `"field":"id"`)
		w.asks(422, "POST", "/api/v1/regions", `{"id":"`+global("Region", "eu")+`","name":"Bad"}`, `"field":"id"`)
		w.asks(400, "POST", "/api/v1/regions", `{"name":"No id"}`, `"field":"id"`)
		w.asks(409, "POST", "/api/v1/regions", `{"id":"eu-west","name":"Again"}`)
		w.asks(409, "DELETE", "/api/v1/regions/eu-west", "")

		w.asks(204, "DELETE", v1, "")
		w.asks(404, "GET", v1, "")
		w.asks(200, "GET", "/api/v1/sites?include_deleted=true&sort=name", "", `"total":2`)
		w.asks(200, "POST", v1+"/restore", "", `"id":"`+site+`"`)

		key := http.Header{"Idempotency-Key": {`"0123456789abcdef"`}}
		first, _ := w.sends(201, "POST", "/api/v1/sites", `{"name":"Once","region_id":"eu-west"}`, key)
		if again, header := w.sends(201, "POST", "/api/v1/sites", `{"name":"Once","region_id":"eu-west"}`, key); w.id(again) != w.id(first) || header.Get("Location") != "/api/v1/sites/"+w.id(first) {
			w.Errorf("a repetition is answered %s at %s, and first it was %s", again, header.Get("Location"), first)
		}
		bulk := w.asks(207, "POST", "/api/v1/sites/bulk", `{"sites":[{"name":"A","region_id":"eu-west"},{"name":"B","region_id":"nowhere"}]}`, `"name":"A"`)
		if !strings.Contains(bulk, "region_id") {
			w.Errorf("many are made: %s", bulk)
		}
		w.asks(207, "DELETE", "/api/v1/sites/bulk", `{"ids":["`+dam+`","`+none+`","7"]}`, `[{"status":204},{"status":404`, `"field":"ids[2]","message":"must be a UUID`)
		w.asks(404, "GET", "/api/v1/sites/"+dam, "")

		scale := w.id(w.asks(201, "POST", "/api/v1/scales", `{"name":"Metre"}`, `"id":"scale-`))
		w.asks(201, "POST", v1+"/readings", `{"value":7,"scale_id":"`+scale+`"}`, `"site_id":"`+site+`"`, `"scale_id":"`+scale+`"`)
		w.asks(201, "POST", "/api/v1/readings", `{"value":8,"site_id":"`+site+`"}`, `"scale_id":null`)
		w.asks(200, "GET", "/api/v1/readings?expand=site.region,scale&site_id="+site+"&sort=value", "", `"site":{"id":"`+site+`"`, `"scale":{"id":"`+scale+`"`, `"total":2`)
		w.asks(200, "GET", v1+"/readings", "", `"total":2`)
		w.asks(200, "GET", "/api/v1/sites?expand=readings,badges&sort=name", "", `"readings":[{"id":`)

		w.asks(201, "POST", "/api/v1/badges", `{"name":"Clean","site_ids":["`+site+`"]}`, `"name":"Clean"`)
		w.asks(200, "GET", v1+"/badges", "", `"name":"Clean"`)
		w.asks(200, "GET", "/api/v1/badges/1/sites", "", `"id":"`+site+`"`)
		w.asks(204, "DELETE", v1+"/badges/1", "")
		w.asks(200, "GET", v1+"/badges", "", `"total":0`)
		w.asks(201, "PUT", "/api/v1/badges/1/sites/"+site, "")
		w.asks(200, "PATCH", v1, `{"badge_ids":[]}`)
		w.asks(200, "GET", v1+"/badges", "", `"total":0`)

		w.asks(201, "POST", "/api/v1/badges", `{"name":"Old","home_id":"eu-west"}`, `"home_id":"eu-west"`)
		w.asks(422, "POST", "/api/v1/badges", `{"name":"Old","home_id":"nowhere"}`, `"field":"home_id"`)
		w.documents()

		w.SignUp("Grace Hopper")
		w.asks(403, "PATCH", v1, `{"name":"Mine"}`)
		w.asks(403, "POST", v1+"/readings", `{"value":9}`)
		w.asks(200, "GET", "/api/v1/readings?site_id="+site, "", `"total":2`)
	})
}

// documents requires OpenAPI to say what ids are.
func (w *world) documents() {
	w.Helper()
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Format    string
					MaxLength int
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(w.asks(200, "GET", "/api/v1/openapi", "")), &document); err != nil {
		w.Fatal(err)
	}
	all := document.Components.Schemas
	if region, site := all["Region"].Properties["id"], all["Site"].Properties; region.MaxLength != 40 || site["id"].Format != "uuid" || site["region_id"].Format != "" {
		w.Errorf("ids are documented as %+v and %+v", region, site["id"])
	}
	w.asks(200, "GET", "/api/v2/openapi", "")
}

// Rows whose key is of several columns, or in a column of another name, are written many at
// once, have versions and changes, and are searched, as other rows are.
func TestRowsByWhateverKey(t *testing.T) {
	each(t, func(w *world) {
		w.seeds()
		for _, of := range []struct {
			path, typ  string
			key        func(n int) string // that a new row gives
			id         func(n int) string
			json       func(id string) string // the id in a body
			bad, other string                 // ids: of no row, and as no row has one
		}{
			{"gauges", "Gauge", func(n int) string { return fmt.Sprintf(`"region_id":"eu-west","code":"a/%d",`, n) }, func(n int) string { return fmt.Sprintf("eu-west~a!2%d", n) }, strconv.Quote, "eu-west~b", `"eu/west"`},
			{"buoys", "Buoy", func(int) string { return "" }, strconv.Itoa, func(id string) string { return id }, "99", `"x"`},
		} {
			path, bad := "/api/v1/"+of.path, of.json(of.bad)
			id := func(n int) string { return of.json(of.id(n)) }
			shown := func(n int) string { return `"id":` + id(n) }
			var begun struct{ Token string }
			if err := json.Unmarshal([]byte(w.asks(200, "GET", "/api/v1/changes?entity="+of.path, "")), &begun); err != nil {
				w.Fatal(err)
			}
			w.asks(201, "POST", path, `{`+of.key(1)+`"name":"Éric the Red"}`, shown(1), `"version":1`)
			w.asks(207, "POST", path+"/bulk", `{"`+of.path+`":[{`+of.key(2)+`"name":"Late bird"},{`+of.key(3)+`"name":""},{`+of.key(3)+`"name":"Early bird"}]}`, `"status":201`, shown(2), `"field":"name"`, shown(3))
			w.asks(207, "PATCH", path+"/bulk", `{"`+of.path+`":[{`+shown(2)+`,"name":"Night bird"},{"id":`+bad+`,"name":"x"},{`+shown(3)+`,"name":"Day bird","version":9}]}`,
				`"name":"Night bird"`, `"status":404`, `"status":412`)
			w.asks(207, "POST", path+"/bulk/break", `{"ids":[`+id(2)+`,`+id(3)+`,`+bad+`]}`, `"broken":true`, `"status":404`)
			w.asks(207, "POST", path+"/bulk/break", `{"ids":[`+id(2)+`]}`, `"status":409`, `it is broken already`)

			_, header := w.sends(200, "GET", path+"/"+of.id(1), "", nil, shown(1))
			tag := http.Header{"If-Match": {header.Get("ETag")}}
			w.sends(200, "PATCH", path+"/"+of.id(1), `{"name":"Éric the Blue"}`, tag, `"version":2`)
			w.sends(412, "PATCH", path+"/"+of.id(1), `{"name":"Éric"}`, tag)

			w.asks(200, "GET", "/api/v1/search?q=bird&type="+of.path, "", `"title":"Night bird"`, `"title":"Early bird"`, shown(3))
			w.asks(200, "GET", "/api/v1/search?q=%C3%89RIC&type="+of.path, "", `Éric the Blue`)
			w.asks(200, "GET", path+"?search=ght+bird", "", `"total":1`, shown(2))
			w.asks(200, "GET", path+"?search=bird&sort=-name&limit=1", "", `"total":2`, `"name":"Night bird"`)
			w.query(`{ `+of.path+`Connection(where: {nameContainsFold: "BIRD"}, orderBy: {field: NAME}, first: 1) { totalCount nodes { id name broken } } }`, `"totalCount":2`, `"id":"`+global(of.typ, of.id(3))+`","name":"Early bird","broken":true`)
			w.query(`mutation { break`+of.typ+`s(ids: [`+strconv.Quote(of.id(1))+`, `+strconv.Quote(of.id(2))+`]) { status } }`, `[{"status":200},{"status":409}]`)
			w.asks(200, "GET", "/api/v1/changes?entity="+of.path+"&since="+begun.Token, "", shown(1), shown(2), shown(3), `"name":"Éric the Blue"`)
			w.asks(200, "GET", "/api/v1/changes?entity="+of.path+"&id="+of.id(2), "", `"type":"changed"`, `"type":"created"`, shown(2))

			w.asks(207, "DELETE", path+"/bulk", `{"ids":[`+id(2)+`,`+bad+`,`+of.other+`]}`, `{"status":204}`, `"status":404`, `"field":"ids[2]"`)
			w.asks(200, "GET", "/api/v1/search?q=night&type="+of.path, "", `"total":0`)
			w.asks(200, "GET", path+"?search=night", "", `"total":0`)
		}
		w.asks(200, "GET", "/api/v1/regions/eu-west", "", `"gauges_count":2`)
	})
}

func TestTheOtherVersion(t *testing.T) {
	each(t, func(w *world) {
		site := w.seeds()
		id, region := global("Site", site), global("Region", "eu-west")
		w.asks(200, "GET", "/api/v2/sites/"+id+"?expand=region", "", `"id":"`+id+`"`, `"regionId":"`+region+`"`)
		w.asks(200, "GET", "/api/v2/sites/"+site, "", `"id":"`+id+`"`)
		w.asks(200, "GET", "/api/v2/sites?regionId="+region, "", `"id":"`+id+`"`)
		w.asks(200, "PATCH", "/api/v2/sites/"+id, `{"regionId":"`+global("Region", "Ünï codé")+`"}`)
		w.asks(201, "POST", "/api/v2/regions", `{"id":"us","name":"America"}`, `"id":"`+global("Region", "us")+`"`)
		w.asks(400, "GET", "/api/v2/sites/"+global("Region", site), "")
		_, header := w.sends(201, "POST", "/api/v2/sites", `{"name":"Dam","regionId":"us"}`, nil)
		w.asks(200, "GET", header.Get("Location"), "", `"name":"Dam"`)
	})
}

func TestGraphQL(t *testing.T) {
	each(t, func(w *world) {
		site := w.seeds()
		id, region := global("Site", site), global("Region", "eu-west")
		w.query(fmt.Sprintf(`{ node(id: %q) { id ... on Site { name region { id name } owner { name } } } }`, id), `"id":"`+id+`"`, `"region":{"id":"`+region+`"`, `"name":"Ada Lovelace"`)
		w.query(fmt.Sprintf(`{ nodes(ids: [%q, %q]) { id } }`, id, region), `"id":"`+id+`"`, `"id":"`+region+`"`)
		w.query(fmt.Sprintf(`{ site(id: %q) { id } }`, site), `"id":"`+id+`"`)
		w.query(fmt.Sprintf(`{ site(id: %q) { id } }`, global("Site", none)), `NOT_FOUND`)
		w.query(fmt.Sprintf(`{ site(id: %q) { id } }`, "7"), `is not the id of a Site`)
		w.query(`{ region(id: "eu-west") { sites { id } sitesConnection { totalCount nodes { id } } } }`, `"totalCount":1`, `"sites":[{"id":"`+id+`"`)
		w.query(fmt.Sprintf(`{ sitesConnection(where: {regionId: %q, idIn: [%q], hasRegionWith: {name: "Europe"}}, first: 1) { edges { cursor node { id } } pageInfo { hasNextPage } } }`, region, site), `"id":"`+id+`"`)
		w.query(`mutation { createRegion(input: {id: "us", name: "America"}) { id } }`, `"id":"`+global("Region", "us")+`"`)
		made := w.query(`mutation { createSite(input: {name: "Dam", regionId: "us"}, idempotencyKey: "0123456789abcdef") { id region { name } } }`, `"name":"America"`)
		if again := w.query(`mutation { createSite(input: {name: "Dam", regionId: "us"}, idempotencyKey: "0123456789abcdef") { id region { name } } }`); again != made {
			w.Errorf("a repetition is answered %s, and first it was %s", again, made)
		}
		var dam struct {
			Data struct{ CreateSite struct{ ID string } }
		}
		if err := json.Unmarshal([]byte(made), &dam); err != nil {
			w.Fatal(err)
		}
		w.query(fmt.Sprintf(`mutation { updateSite(id: %q, input: {name: "Old Dam", mainId: %q}) { name main { id } } }`, dam.Data.CreateSite.ID, site), `"main":{"id":"`+id+`"}`)
		w.query(fmt.Sprintf(`mutation { closeSite(id: %q) { closed } }`, id), `"closed":true`)
		w.query(fmt.Sprintf(`mutation { openSite(id: %q) { closed } }`, site), `"closed":false`)
		w.query(fmt.Sprintf(`mutation { createReading(input: {value: 7, siteId: %q}) { id site { id } } }`, id), `"site":{"id":"`+id+`"}`)
		w.query(fmt.Sprintf(`{ site(id: %q) { readingsConnection { totalCount nodes { value } } } }`, id), `"totalCount":1`)
		w.query(fmt.Sprintf(`mutation { createBadge(input: {name: "Clean", siteIds: [%q]}) { sites { id } } }`, id), `"id":"`+id+`"`)
		w.query(fmt.Sprintf(`mutation { deleteSite(id: %q) }`, id), `"deleteSite":true`)
		w.query(fmt.Sprintf(`{ site(id: %q) { id } }`, id), `NOT_FOUND`)
		w.query(`mutation { deleteNode(id: "`+global("Region", "us")+`") { deletedId } }`, `"status":409`)
		w.query(fmt.Sprintf(`mutation { restoreSite(id: %q) { id } }`, id), `"id":"`+id+`"`)
	})
}

// Ent's client makes rows with ids of the types of the schema, which the APIs show.
func TestEntsClient(t *testing.T) {
	each(t, func(w *world) {
		ctx, client := viewer.With(policy.As(w.Context(), ""), viewer.System()), orm.Client(w.host.DB)
		region, err := client.Region.Create().SetID("eu-west").SetName("Europe").Save(ctx)
		if err != nil {
			w.Fatal(err)
		}
		owner, err := client.User.Query().First(ctx)
		if err != nil {
			w.Fatal(err)
		}
		var id uuid.UUID
		site, err := client.Site.Create().SetName("Mill").SetRegionID(region.ID).SetOwnerID(owner.ID).Save(ctx)
		if err != nil {
			w.Fatal(err)
		}
		id = site.ID
		w.asks(200, "GET", "/api/v1/sites/"+id.String(), "", `"region_id":"eu-west"`)
		found, err := client.Region.Query().WithSites().Only(ctx)
		if err != nil || len(found.Edges.Sites) != 1 || found.Edges.Sites[0].ID != id {
			w.Errorf("the region is %+v, %v", found, err)
		}
	})
}

// Hooks see the edges of Ent's own mutation, with ids as the schema has them.
func TestHooksSeeIDs(t *testing.T) {
	each(t, func(w *world) {
		site := w.seeds()
		w.asks(201, "POST", "/api/v1/badges", `{"name":"Old"}`, `"id":1`)
		const made, changed = "OpCreate [sites home] uuid.UUID string", "OpUpdateOne [sites home] uuid.UUID string was Old"
		w.asks(409, "POST", "/api/v1/badges", `{"name":"Probe","home_id":"eu-west","site_ids":["`+site+`"]}`, made)
		w.asks(409, "POST", "/api/v2/badges", `{"name":"Probe","homeId":"`+global("Region", "eu-west")+`","siteIds":["`+global("Site", site)+`"]}`, made)
		w.asks(409, "PATCH", "/api/v1/badges/1", `{"name":"Probe","home_id":"eu-west","site_ids":["`+site+`"]}`, changed)
		w.query(fmt.Sprintf(`mutation { createBadge(input: {name: "Probe", homeId: "eu-west", siteIds: [%q]}) { id } }`, site), made)
		w.query(fmt.Sprintf(`mutation { updateBadge(id: "1", input: {name: "Probe", homeId: "eu-west", addSiteIds: [%q]}) { id } }`, site), changed)
		ctx, client, id := viewer.With(policy.As(w.Context(), ""), viewer.System()), orm.Client(w.host.DB), uuid.MustParse(site)
		for want, err := range map[string]error{
			made:    client.Badge.Create().SetName("Probe").SetHomeID("eu-west").AddSiteIDs(id).Exec(ctx),
			changed: client.Badge.UpdateOneID(1).SetName("Probe").SetHomeID("eu-west").AddSiteIDs(id).Exec(ctx),
		} {
			if err == nil || !strings.Contains(err.Error(), want) {
				w.Errorf("the client says %v, want %s", err, want)
			}
		}
	})
}

// Hooks that use the methods of Ent's own mutations do so where ids are texts and UUIDs,
// whichever door writes.
func TestHooksSeeEntsMutations(t *testing.T) {
	each(t, func(w *world) {
		for _, of := range []struct{ path, one string }{{"scales", "Scale"}, {"piers", "Pier"}} {
			made := w.asks(201, "POST", "/api/v1/"+of.path, `{"name":"old"}`, `"name":"Old"`)
			w.asks(200, "PATCH", "/api/v1/"+of.path+"/"+w.id(made), `{"name":"new"}`, `"name":"New"`)
			w.query(fmt.Sprintf(`mutation { create%[1]s(input: {name: "long"}) { name } }`, of.one), `"name":"Long"`)
			w.query(fmt.Sprintf(`mutation { update%s(id: %q, input: {name: "short"}) { name } }`, of.one, global(of.one, w.id(made))), `"name":"Short"`)
		}
		ctx, client := viewer.With(policy.As(w.Context(), ""), viewer.System()), orm.Client(w.host.DB)
		if scale, err := client.Scale.Create().SetName("by hand").Save(ctx); err != nil || scale.Name != "By hand" {
			w.Errorf("the client makes %+v, %v", scale, err)
		}
		if pier, err := client.Pier.Create().SetName("by hand").Save(ctx); err != nil || pier.Name != "By hand" {
			w.Errorf("the client makes %+v, %v", pier, err)
		}
	})
}

// followed asks for the changes of an entity since the token.
func (w *world) followed(base, entity, token string, want ...string) string {
	w.Helper()
	path := base + "/changes?entity=" + entity
	if token != "" {
		path += "&since=" + token
	}
	text := w.asks(200, "GET", path, "", want...)
	var answer struct{ Token string }
	if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Token == "" {
		w.Fatalf("no token in %s: %v", text, err)
	}
	return answer.Token
}

func TestChangesCountsTreesAndFiles(t *testing.T) {
	each(t, func(w *world) {
		regions, sites := w.followed("/api/v1", "regions", "", `"data":[]`), w.followed("/api/v2", "sites", "", `"changes":[]`)
		site := w.seeds()
		v1, id := "/api/v1/sites/"+site, global("Site", site)

		regions = w.followed("/api/v1", "regions", regions, `"type":"created","id":"eu-west"`, `"id":"Ünï codé"`)
		sites = w.followed("/api/v2", "sites", sites, `"type":"created","id":"`+id+`"`, `"regionId":"`+global("Region", "eu-west")+`"`)
		w.asks(200, "PATCH", v1, `{"name":"Old Mill"}`)
		sites = w.followed("/api/v2", "sites", sites, `"type":"changed","id":"`+id+`"`, `"name":"Old Mill"`)
		w.asks(204, "DELETE", v1, "")
		sites = w.followed("/api/v2", "sites", sites, `"type":"deleted","id":"`+id+`"`)
		w.followed("/api/v1", "regions", regions, `"type":"changed","id":"eu-west"`, `"sites_count":0`)
		w.asks(200, "POST", v1+"/restore", "", `"id":"`+site+`"`)
		w.followed("/api/v2", "sites", sites, `"type":"created","id":"`+id+`"`)
		w.asks(200, "GET", "/api/v1/regions/eu-west", "", `"sites_count":1`)
		w.asks(409, "POST", "/api/v1/regions", `{"id":"other","name":"EUROPE"}`, `"field":"name"`)

		scale := w.id(w.asks(201, "POST", "/api/v1/scales", `{"name":"Metre"}`))
		w.asks(201, "POST", v1+"/readings", `{"value":7,"scale_id":"`+scale+`"}`)
		w.query(fmt.Sprintf(`mutation { createReading(input: {value: 5, siteId: %q}) { id } }`, id), `"id":`)
		w.query(fmt.Sprintf(`{ site(id: %q) { readingsCount valuesSum } }`, id), `"readingsCount":2,"valuesSum":12`)
		w.asks(204, "DELETE", "/api/v1/readings/1", "")
		w.asks(200, "GET", v1, "", `"readings_count":1`, `"values_sum":5`)
		w.asks(200, "POST", v1+"/close", "", `"closed":true`)
		w.asks(200, "GET", "/api/v1/readings/2", "", `"closed_at":"2`)

		below := w.id(w.asks(201, "POST", "/api/v1/sites", `{"name":"Weir","region_id":"eu-west","main_id":"`+site+`"}`))
		lowest := w.id(w.asks(201, "POST", "/api/v1/sites", `{"name":"Gate","region_id":"eu-west","main_id":"`+below+`"}`))
		w.query(fmt.Sprintf(`{ site(id: %q) { ancestors { name } } }`, lowest), `[{"name":"Weir"},{"name":"Old Mill"}]`)
		w.asks(200, "GET", v1+"/descendants?sort=name", "", `"total":2`, lowest)
		w.asks(422, "PATCH", v1, `{"main_id":"`+lowest+`"}`, `"field":"main_id"`)
		w.asks(422, "POST", "/api/v1/sites", `{"name":"Deep","region_id":"eu-west","main_id":"`+lowest+`"}`, `"field":"main_id"`)
		w.files(v1, site, below)
	})
}

// files attaches a file to a site, whose readers read it, and takes it away again.
func (w *world) files(v1, site, other string) {
	w.Helper()
	uploaded, _ := w.sends(201, "POST", "/api/v1/files?for=site.plan", "a plan", nil, `"url":"`)
	var answer struct{ Data struct{ URL string } }
	if err := json.Unmarshal([]byte(uploaded), &answer); err != nil {
		w.Fatal(err)
	}
	file := answer.Data.URL
	ada := w.Header.Clone()
	w.SignUp("Grace Hopper")
	w.asks(404, "GET", file, "")
	w.asks(403, "PATCH", v1, `{"plan":"`+file+`"}`)
	grace := w.Header
	w.Header = ada
	w.asks(200, "PATCH", v1, `{"plan":"`+file+`"}`, `"plan":"`+file+`"`)
	w.asks(422, "PATCH", "/api/v1/sites/"+other, `{"plan":"`+file+`"}`, `"field":"plan"`)
	w.query(fmt.Sprintf(`mutation { updateSite(id: %q, input: {plan: %q}) { plan } }`, site, file), `"plan":"`+file+`"`)
	for _, list := range []string{"/api/v1/sites", "/api/v2/sites"} {
		w.asks(200, "GET", list, "", file)
	}
	w.query(`{ sitesConnection { nodes { plan } } fileUsage { own { used } } }`, `"plan":"`+file+`"`, `"used":6`)
	w.asks(200, "GET", "/api/v1/files/usage", "", `"used":6,"quota":null`)
	w.Header = grace
	w.asks(200, "GET", file, "", "a plan")
	w.asks(403, "DELETE", strings.Replace(file, "/api/", "/api/v1/", 1), "")
	w.Header = ada
	w.asks(204, "DELETE", strings.Replace(file, "/api/", "/api/v1/", 1), "")
	w.asks(200, "GET", v1, "", `"plan":null`)
	w.asks(404, "GET", file, "")
}

// Rows whose ids are texts and UUIDs are found by their words, however they are written, and
// the newest of equals first.
func TestSearch(t *testing.T) {
	each(t, func(w *world) {
		mill := w.seeds()
		weir := w.id(w.asks(201, "POST", "/api/v1/sites", `{"name":"Weir","notes":"Below the old mill","region_id":"eu-west"}`))
		const words, part = "/api/v1/search?q=", "/api/v1/sites?search="
		w.asks(200, "GET", words+"mill", "", `"total":2`, `{"type":"sites","id":"`+mill+`","title":"Mill","snippet":"<mark>Mill</mark>"`, `"url":"/api/v1/sites/`+weir+`"`)
		w.asks(200, "GET", words+"else", "", `{"type":"regions","id":"Ünï codé"`, `"url":"/api/v1/regions/%C3%9Cn%C3%AF%20cod%C3%A9"`)
		w.asks(200, "GET", "/api/v2/search?q=mill", "", `"id":"`+global("Site", mill)+`"`)
		w.query(`{ searchConnection(query: "mill") { totalCount nodes { ... on Site { name notes } } } }`, `"totalCount":2,"nodes":[{"name":"Mill","notes":""},{"name":"Weir","notes":"Below the old mill"}]`)
		w.asks(200, "GET", words+"%22old+mill%22+-dam", "", `"total":1`, weir)
		w.asks(200, "GET", part+"ld+mi", "", `"total":1`, weir)
		w.asks(200, "GET", part+"mill&sort=name", "", `"total":2`)
		w.asks(200, "PATCH", "/api/v1/sites/"+mill, `{"name":"Dam"}`)
		w.asks(200, "GET", words+"mill", "", `"total":1`, weir)
		w.asks(200, "GET", words+"dam", "", `"total":1`, mill)
		w.asks(200, "GET", part+"dam", "", `"total":1`, mill)
		w.asks(204, "DELETE", "/api/v1/sites/"+weir, "")
		w.asks(200, "GET", words+"mill", "", `"total":0`)
		w.asks(200, "POST", "/api/v1/sites/"+weir+"/restore", "")
		w.asks(200, "GET", words+"mill", "", `"total":1`)

		ctx, client := viewer.With(policy.As(w.Context(), ""), viewer.System()), orm.Client(w.host.DB)
		owner := client.User.Query().OnlyX(ctx).ID
		for i := range 3000 { // more than the newest that are looked at first, with ids in no order
			client.Site.Create().SetID(uuid.New()).SetName(fmt.Sprintf("Lock %d", i)).SetRegionID("eu-west").SetOwnerID(owner).ExecX(ctx)
		}
		w.asks(200, "GET", words+"lock&limit=1", "", `"title":"Lock 2999"`)
		w.asks(200, "GET", words+"lock+7", "", `"title":"Lock 7"`)
		w.asks(200, "GET", words+"weir", "", `"total":1`)
		if n := client.Site.Delete().Where(site.NameHasPrefix("Lock 1")).ExecX(ctx); n != 1111 {
			w.Errorf("%d sites were removed", n)
		}
		w.asks(200, "GET", words+"lock&limit=1", "", `"title":"Lock 2999"`)
		w.asks(200, "GET", words+"lock+1", "", `"total":0`)
	})
}

// To delete a row with a text as its id deletes others with it, and they count no more; to
// restore it brings exactly these back.
func TestWhatIsDeletedWithRows(t *testing.T) {
	each(t, func(w *world) {
		mill := w.seeds()
		w.asks(201, "POST", "/api/v1/zones", `{"id":"north","name":"North"}`)
		w.asks(200, "PATCH", "/api/v1/sites/"+mill, `{"zone_id":"north"}`)
		dam := w.id(w.asks(201, "POST", "/api/v1/sites", `{"name":"Dam","region_id":"eu-west","zone_id":"north"}`))
		there := w.id(w.asks(201, "POST", "/api/v1/sites", `{"name":"There","region_id":"Ünï codé"}`))
		scale := w.id(w.asks(201, "POST", "/api/v1/scales", `{"name":"Metre"}`))
		w.asks(201, "POST", "/api/v1/badges", `{"name":"Old","site_ids":["`+mill+`","`+dam+`","`+there+`"]}`)
		for _, id := range []string{mill, dam, there} {
			w.asks(201, "POST", "/api/v1/sites/"+id+"/readings", `{"value":7,"scale_id":"`+scale+`"}`)
		}
		counts := func(n int) {
			w.Helper()
			w.asks(200, "GET", "/api/v1/scales/"+scale, "", fmt.Sprintf(`"readings_count":%d`, n))
			w.asks(200, "GET", "/api/v2/badges/"+global("Badge", "1"), "", fmt.Sprintf(`"sitesCount":%d`, n))
			w.query(`{ badge(id: "1") { sitesCount } }`, fmt.Sprintf(`"sitesCount":%d`, n))
		}
		counts(3)
		w.asks(204, "DELETE", "/api/v1/sites/"+dam, "")
		counts(2)
		w.asks(204, "DELETE", "/api/v1/zones/north", "")
		counts(1)
		for _, id := range []string{mill, dam} {
			w.asks(404, "GET", "/api/v1/sites/"+id, "")
		}
		w.asks(200, "GET", "/api/v1/sites", "", `"total":1`, there)
		w.asks(201, "POST", "/api/v1/sites/"+there+"/readings", `{"value":8,"scale_id":"`+scale+`"}`)
		w.asks(200, "GET", "/api/v1/scales/"+scale, "", `"readings_count":2`)
		w.asks(200, "POST", "/api/v1/zones/north/restore", "")
		w.asks(200, "GET", "/api/v1/sites/"+mill, "", `"id":"`+mill+`"`)
		w.asks(404, "GET", "/api/v1/sites/"+dam, "")
		w.asks(200, "GET", "/api/v1/scales/"+scale, "", `"readings_count":3`)
		w.asks(200, "GET", "/api/v1/badges/1", "", `"sites_count":2`)
		w.asks(200, "POST", "/api/v1/sites/"+dam+"/restore", "")
		w.asks(200, "GET", "/api/v1/scales/"+scale, "", `"readings_count":4`)

		ctx, client := viewer.With(policy.As(w.Context(), ""), viewer.System()), orm.Client(w.host.DB)
		client.Site.DeleteOneID(uuid.MustParse(mill)).ExecX(ctx)
		w.asks(200, "GET", "/api/v1/scales/"+scale, "", `"readings_count":3`)
		w.asks(200, "GET", "/api/v1/badges/1", "", `"sites_count":2`)
		w.asks(200, "GET", "/api/v1/search?q=mill", "", `"total":0`)
	})
}

// A row with many dependents takes the first 500 along when it is deleted, and a job the
// others, whatever the ids are; readers see none of them meanwhile. The same is done to
// restore it, and to remove it for good.
func TestDeletionsInSteps(t *testing.T) {
	each(t, func(w *world) {
		const many = 1203
		ctx, client := viewer.With(policy.As(w.Context(), ""), viewer.System()), orm.Client(w.host.DB)
		runner := jobs.NewRunner(w.host.DB, w.host.Bus, slog.New(slog.DiscardHandler), jobs.NewRecount(w.host.DB), jobs.NewKeyedRecount(w.host.DB))
		w.Cleanup(func() { runner.Stop(context.Background()) })
		settle := func() {
			w.Helper()
			job := client.Job.Query().Where(job.KindHasPrefix("recount"), job.FinishedAtIsNil()).OnlyX(ctx)
			if err := runner.Run(ctx, int64(job.ID)); err != nil {
				w.Fatal(err)
			}
			if job = client.Job.GetX(ctx, job.ID); job.FinishedAt == nil || job.Error != nil {
				w.Fatalf("the job is %v", job)
			}
		}
		w.asks(201, "POST", "/api/v1/zones", `{"id":"north","name":"North"}`)
		w.asks(201, "POST", "/api/v1/regions", `{"id":"eu-west","name":"Europe"}`)
		dock, pier := client.Dock.Create().SaveX(ctx).ID, client.Pier.Create().SaveX(ctx).ID
		others := map[string]int{"piers": 1} // that are of no other row
		owner := client.User.Query().OnlyX(ctx).ID
		for range many {
			client.Site.Create().SetID(uuid.New()).SetName("Lock").SetRegionID("eu-west").SetZoneID("north").SetOwnerID(owner).ExecX(ctx)
			client.Pier.Create().SetDockID(dock).ExecX(ctx)
			client.Boat.Create().SetDockID(dock).ExecX(ctx)
			client.Plank.Create().SetPierID(pier).ExecX(ctx)
		}
		for _, of := range []struct {
			row    string
			theirs map[string]string // conditions on the tables of what goes along, by the paths
		}{
			{"zones/north", map[string]string{"sites": "sites WHERE zone_id = 'north'"}},
			{fmt.Sprintf("docks/%d", dock), map[string]string{"piers": fmt.Sprintf("piers WHERE dock_id = %d", dock), "boats": fmt.Sprintf("boats WHERE dock_id = %d", dock)}},
			{"piers/" + pier.String(), map[string]string{"planks": "planks WHERE pier_id = '" + pier.String() + "'"}},
		} {
			are := func(readable, deleted int) {
				w.Helper()
				for path, theirs := range of.theirs {
					w.asks(200, "GET", "/api/v1/"+path+"?limit=1", "", fmt.Sprintf(`"total":%d,`, readable+others[path]))
					if n := storetest.Count(w.T, w.host.DB, theirs+" AND deleted_at IS NOT NULL"); n != deleted {
						w.Errorf("%d of %s are deleted, want %d", n, theirs, deleted)
					}
				}
			}
			w.asks(204, "DELETE", "/api/v1/"+of.row, "")
			are(0, 500)
			settle()
			are(0, many)
			w.asks(200, "POST", "/api/v1/"+of.row+"/restore", "")
			are(500, many-500)
			w.asks(204, "DELETE", "/api/v1/"+of.row, "") // the same job turns round
			are(0, many)
			w.asks(200, "POST", "/api/v1/"+of.row+"/restore", "")
			settle()
			are(many, 0)
			w.asks(204, "DELETE", "/api/v1/"+of.row+"?hard=true", "")
			for path, theirs := range of.theirs {
				w.asks(200, "GET", "/api/v1/"+path+"?limit=1&include_deleted=true", "", fmt.Sprintf(`"total":%d,`, others[path]))
				if n := storetest.Count(w.T, w.host.DB, theirs); n != many {
					w.Errorf("%d of %s are left by the request, want %d", n, theirs, many)
				}
			}
			settle()
			for _, theirs := range of.theirs {
				if n := storetest.Count(w.T, w.host.DB, theirs); n != 0 {
					w.Errorf("%d of %s are left", n, theirs)
				}
			}
			w.asks(404, "GET", "/api/v1/"+of.row+"?include_deleted=true", "")
		}
		for _, table := range []string{"recounts", "recounts_keyed"} {
			if n := storetest.Count(w.T, w.host.DB, table); n != 0 {
				w.Errorf("%d rows are left in %s", n, table)
			}
		}
	})
}
