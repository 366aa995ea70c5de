package main

import (
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/kittest/apptest"
	"github.com/entwine-go/entwine/kit/viewer"

	"example.com/acme/notes/ent/buddy"
	"example.com/acme/notes/ent/inode"
	"example.com/acme/notes/ent/orm"
	"example.com/acme/notes/ent/payment"
	"example.com/acme/notes/ent/tweeter"
)

// The rest of Ent's examples, and of its integration tests, by the client, REST and GraphQL.
func TestPortedExamples(t *testing.T) {
	each(t, func(t *testing.T, w *apptest.Server, host *app.Host) {
		ctx, client := viewer.With(t.Context(), viewer.System()), orm.Client(host.DB)
		query := func(text, want string) {
			t.Helper()
			w.Ask("POST", "/graphql", `{"query":"`+text+`"}`, want)
		}

		// m2mbidi: friends are each other's
		w.Ask("POST", "/api/v1/buddies", `{"name":"a8m","age":30}`, `"id":1`)
		query(`mutation { createBuddy(input: {name: \"nati\", age: 28}) { name } }`, `{"name":"nati"}`)
		client.Buddy.UpdateOneID(1).AddFriendIDs(2).ExecX(ctx)
		query(`{ buddy(id: \"2\") { friends { name } } }`, `{"friends":[{"name":"a8m"}]}`)
		if name := client.Buddy.Query().Where(buddy.Name("nati")).QueryFriends().OnlyX(ctx).Name; name != "a8m" {
			t.Errorf("the friend is %s", name)
		}

		// m2mrecur: who follows is not followed
		w.Ask("POST", "/api/v1/tweeters", `{"name":"a8m","age":30}`, `"id":1`)
		w.Ask("POST", "/api/v1/tweeters", `{"name":"nati","age":28}`, `"id":2`)
		client.Tweeter.UpdateOneID(1).AddFollowerIDs(2).ExecX(ctx)
		query(`{ tweeter(id: \"1\") { followers { name } following { name } } }`, `{"followers":[{"name":"nati"}],"following":[]}`)
		if n := client.Tweeter.Query().Where(tweeter.HasFollowing()).CountX(ctx); n != 1 {
			t.Errorf("%d follow somebody", n)
		}

		// o2m2types
		w.Ask("POST", "/api/v1/breeders", `{"name":"a8m","age":30}`, `"id":1`)
		w.Ask("POST", "/api/v1/puppies", `{"name":"pedro","owner_id":1}`, `"owner_id":1`)
		client.Puppy.Create().SetName("lola").SetOwnerID(1).ExecX(ctx)
		query(`{ breeder(id: \"1\") { pets { name owner { age } } } }`, `{"pets":[{"name":"pedro","owner":{"age":30}},{"name":"lola","owner":{"age":30}}]}`)

		// o2obidi: a spouse is one's own
		w.Ask("POST", "/api/v1/mates", `{"name":"a8m","age":30}`, `"spouse_id":null`)
		w.Ask("POST", "/api/v1/mates", `{"name":"nati","age":28,"spouse_id":1}`, `"spouse_id":1`)
		query(`{ mate(id: \"2\") { spouse { name } } }`, `{"spouse":{"name":"a8m"}}`)
		w.Ask("POST", "/api/v1/mates", `{"name":"third","age":28,"spouse_id":1}`, `"code":"DUPLICATE_RESOURCE"`)

		// o2orecur: a list that is linked
		w.Ask("POST", "/api/v1/rings", `{"value":1}`, `"prev_id":null`)
		w.Ask("POST", "/api/v1/rings", `{"value":2,"prev_id":1}`, `"prev_id":1`)
		if value := client.Ring.GetX(ctx, 2).QueryPrev().OnlyX(ctx).Value; value != 1 {
			t.Errorf("before 2 comes %d", value)
		}
		query(`{ ring(id: \"1\") { next { value next { value } } } }`, `{"next":{"value":2,"next":null}}`)

		// fs: a tree of folders
		w.Ask("POST", "/api/v1/inodes", `{"name":"/"}`, `"deleted":false`)
		w.Ask("POST", "/api/v1/inodes", `{"name":"etc","parent_id":1}`, `"parent_id":1`)
		if n := client.Inode.Query().Where(inode.HasParentWith(inode.Name("/"))).CountX(ctx); n != 1 {
			t.Errorf("%d are below /", n)
		}
		query(`{ inode(id: \"1\") { children { name } } }`, `{"children":[{"name":"etc"}]}`)

		// functionalidx, rls, triggers: what the schemas have
		w.Ask("POST", "/api/v1/indexeds", `{"name":"a8m"}`, `"name":"a8m"`)
		w.Ask("POST", "/api/v1/tenants", `{"name":"acme"}`, `"id":1`)
		w.Ask("POST", "/api/v1/lodgers", `{"name":"a8m","tenant_id":1}`, `"tenant_id":1`)
		w.Ask("POST", "/api/v1/auditeds", `{"name":"a8m"}`, `"id":1`)
		query(`mutation { createUserAuditLog(input: {operationType: \"INSERT\", operationTime: \"now\"}) { oldValue } }`, `{"oldValue":null}`)
		if n := client.Audited.Query().CountX(ctx) + client.UserAuditLog.Query().CountX(ctx) + client.Lodger.Query().CountX(ctx); n != 3 {
			t.Errorf("the client sees %d rows", n)
		}

		// migration: checks, enums, and a default of a UUID
		w.Ask("POST", "/api/v1/payers", `{"first_name":"Ariel","last_name":"M","age":30,"tags":["a"]}`, `"tags":["a"]`)
		w.Ask("POST", "/api/v1/plastics", `{"number_hash":"1234567890123456","cvv_hash":"x","owner_id":1}`, `"type":"unknown"`)
		w.Ask("POST", "/api/v1/plastics", `{"number_hash":"12","cvv_hash":"x","owner_id":1}`, `"status":"error"`)
		w.Ask("POST", "/api/v1/payments", `{"card_id":1,"amount":0,"currency":"EUR","time":"2026-01-02T03:04:05Z","description":"","status":"pending"}`, `"field":"amount"`)
		w.Ask("POST", "/api/v1/payments", `{"card_id":1,"amount":7.5,"currency":"EUR","time":"2026-01-02T03:04:05Z","description":"","status":"pending"}`, `"amount":7.5`)
		query(`{ plastic(id: \"1\") { payments { currency } owner { firstName } } }`, `"payments":[{"currency":"EUR"}]`)
		if n := client.Payment.Query().Where(payment.StatusEQ(payment.StatusPending)).CountX(ctx); n != 1 {
			t.Errorf("%d payments are pending", n)
		}
		query(`mutation { createVisit(input: {issuedAt: \"2026-01-02T03:04:05Z\", method: {a: 1}}) { active method } }`, `{"active":false,"method":{`)

		// version: the default of a mixin
		before := time.Now().UnixNano()
		w.Ask("POST", "/api/v1/versioners", `{"status":"online"}`, `"status":"online"`)
		if v := client.Versioner.Query().OnlyX(ctx).Version; v < before {
			t.Errorf("the version is %d, before %d", v, before)
		}

		// config, template
		w.Ask("POST", "/api/v1/templateds", `{"name":"a8m"}`, `"id":1`)
		w.Ask("POST", "/api/v1/tpets", `{"age":3,"owner_id":1}`, `"licensed_at":null`)
		query(`{ templated(id: \"1\") { pets { age } friends { name } } }`, `{"pets":[{"age":3}],"friends":[]}`)
		w.Ask("POST", "/api/v1/tgroups", `{"max_users":3}`, `"max_users":3`)

		// json
		w.Ask("POST", "/api/v1/jsonics", `{"t":{"i":1,"li":[1],"ls":null,"m":null},"raw":{"a":1},"strings":["x"]}`, `"dirs":["/tmp"]`)
		if row := client.Jsonic.Query().OnlyX(ctx); row.T.I != 1 || len(row.Dirs) != 1 || string(row.Raw) != `{"a":1}` && string(row.Raw) != `{"a": 1}` {
			t.Errorf("the client reads %+v", row)
		}
		query(`{ jsonic(id: \"1\") { ints strings } }`, `"strings":["x"]}`)
	})
}
