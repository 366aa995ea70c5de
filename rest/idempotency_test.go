package rest_test

import (
	"flag"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/viewer"
)

var (
	keys     = flag.Int("keys", 12, "how many Idempotency-Keys are used at once")
	requests = flag.Int("requests", 25, "how many requests there are with each key")
)

const keyHeader = "Idempotency-Key"

func postBody(title string) string { return `{"title": "` + title + `", "content": "It is so."}` }

func (w *world) posts() int {
	w.t.Helper()
	n, err := w.ent.Post.Query().Count(w.system)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func TestARepetitionHasTheFirstAnswer(t *testing.T) {
	each(t, func(w *world) {
		first := w.do(w.ada, "POST", "/api/v1/posts", postBody("One"), keyHeader, "k1").want(201)
		if first.Header.Get("Idempotency-Replayed") != "" {
			t.Error("the first answer says that it is a repetition")
		}
		for name, c := range map[string]struct{ path, key, body string }{
			"the same":                 {"/api/v1/posts", "k1", postBody("One")},
			"a quoted key":             {"/api/v1/posts", `"k1"`, postBody("One")},
			"other blanks and order":   {"/api/v1/posts", "k1", `{ "content":"It is so.","title":"One" }`},
			"a path without a version": {"/api/posts", "k1", postBody("One")},
		} {
			again := w.do(w.ada, "POST", c.path, c.body, keyHeader, c.key).want(201)
			if again.Raw != first.Raw || again.Header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("%s: answered %s (%v), want %s", name, again.Raw, again.Header, first.Raw)
			}
			if got, want := again.Header.Get("Location"), strings.TrimSuffix(c.path, "/posts")+"/posts/1"; got != want {
				t.Errorf("%s: Location is %q, want %q", name, got, want)
			}
			for _, header := range []string{"Etag", "Last-Modified", "Content-Type", "Cache-Control", "Vary"} {
				if got, want := again.Header.Get(header), first.Header.Get(header); got != want {
					t.Errorf("%s: %s is %q, want %q", name, header, got, want)
				}
			}
		}
		if got := w.posts(); got != 1 {
			t.Errorf("there are %d posts, want 1", got)
		}
	})
}

// An answer 202 says when to ask for the result, and where.
func TestWhatIsAcceptedIsKept(t *testing.T) {
	each(t, func(w *world) {
		for path, body := range map[string]string{
			"/api/v1/emails/send":      `{"to": "ada@example.com", "subject": "Hi", "text": "!"}`,
			"/api/v1/reports/generate": `{"type": "users", "format": "csv"}`,
		} {
			first := w.do(w.admin, "POST", path, body, keyHeader, "k1").want(202)
			again := w.do(w.admin, "POST", path, body, keyHeader, "k1").want(202)
			if again.Raw != first.Raw || again.Header.Get("Retry-After") == "" || again.Header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("%s: answered %s (%v), want %s", path, again.Raw, again.Header, first.Raw)
			}
			w.do(w.admin, "GET", first.Header.Get("Location"), "").want(200)
		}
	})
}

func TestKeysThatAreOtherKeys(t *testing.T) {
	each(t, func(w *world) {
		w.do(w.ada, "POST", "/api/v1/posts", postBody("One"), keyHeader, "k1").want(201)
		// Another caller, another route.
		w.do(w.bob, "POST", "/api/v1/posts", postBody("One"), keyHeader, "k1").want(201)
		w.do(w.ada, "POST", fmt.Sprintf("/api/v1/users/%d/posts", w.ada.UserID), postBody("One"), keyHeader, "k1").want(201)
		if got := w.posts(); got != 3 {
			t.Errorf("there are %d posts, want 3", got)
		}
	})
}

// A refusal names the path that the client asked for, with a key and without.
func TestARefusalWithAKeyNamesThePath(t *testing.T) {
	each(t, func(w *world) {
		for _, path := range []string{"/api/v1/posts", "/api/posts", "/api/v1/posts/99/publish", "/api/v1/posts/99/like"} {
			for _, header := range [][]string{nil, {keyHeader, "of " + path}, {keyHeader, "of " + path}} {
				a := w.do(w.ada, "POST", path, "", header...)
				if said, want := a.Raw, fmt.Sprintf(`"path":%q`, path); a.Status < 400 || !strings.Contains(said, want) {
					t.Errorf("POST %s with %v is answered %d %s, want %s", path, header, a.Status, said, want)
				}
			}
		}
	})
}

// An action takes no body or an empty object, and they are one request.
func TestNoBodyIsAnEmptyOne(t *testing.T) {
	each(t, func(w *world) {
		for i, bodies := range [][]string{{"", "{}"}, {"{}", ""}, {" {\n} ", "{}"}} {
			path := fmt.Sprintf("/api/v1/posts/%d/publish", w.post(w.ada, "Draft", false))
			for at, body := range bodies {
				a := w.do(w.ada, "POST", path, body, keyHeader, fmt.Sprint("k", i)).want(200)
				if replayed := a.Header.Get("Idempotency-Replayed") == "true"; replayed != (at > 0) {
					t.Errorf("%q of %q: replayed is %t", body, bodies, replayed)
				}
			}
		}
	})
}

func TestKeysThatAreRefused(t *testing.T) {
	each(t, func(w *world) {
		id := w.post(w.ada, "Commented", true)
		other := w.post(w.ada, "Other", true)
		w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", id), `{"text": "Yes."}`, keyHeader, "k").want(201)
		reused := w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", id), `{"text": "No."}`, keyHeader, "k").want(422)
		if code := reused.at("error", "code"); code != "IDEMPOTENCY_KEY_REUSED" {
			t.Errorf("another body: code %v", code)
		}
		w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", other), `{"text": "Yes."}`, keyHeader, "k").want(422)
		for name, key := range map[string]string{
			"empty": "", "an empty string": `""`, "too long": strings.Repeat("k", 256), "a control character": "a\tb\x01", "half quoted": `"k`,
		} {
			bad := w.do(w.ada, "POST", "/api/v1/posts", postBody("Never"), keyHeader, key).want(400)
			if bad.details()[keyHeader] == "" {
				t.Errorf("%s: %s", name, bad.Raw)
			}
		}
		w.do(w.ada, "POST", "/api/v1/posts", postBody("Longest"), keyHeader, strings.Repeat("k", 255)).want(201)
	})
}

func TestFailuresThatAreNotKept(t *testing.T) {
	each(t, func(w *world) {
		w.do(w.ada, "POST", "/api/v1/posts", `{"title": "", "content": "x"}`, keyHeader, "k").want(422)
		w.do(w.ada, "POST", "/api/v1/posts", `{"content": "x"}`, keyHeader, "k").want(400)
		w.do(w.ada, "POST", "/api/v1/posts", postBody("Mended"), keyHeader, "k").want(201)
		if got := w.posts(); got != 1 {
			t.Errorf("there are %d posts, want 1", got)
		}
	})
}

func TestFailuresThatAreKept(t *testing.T) {
	each(t, func(w *world) {
		user := `{"name": "Twin", "email": "ada@example.com"}`
		first := w.do(w.admin, "POST", "/api/v1/users", user, keyHeader, "k").want(409)
		if err := w.ent.User.UpdateOneID(userID(w.ada)).SetEmail("ada.l@example.com").Exec(w.system); err != nil {
			t.Fatal(err)
		}
		again := w.do(w.admin, "POST", "/api/v1/users", user, keyHeader, "k").want(409)
		told := func(a *answer) string {
			return fmt.Sprint(a.at("error", "code"), a.at("error", "message"), a.at("error", "details"))
		}
		if told(again) != told(first) || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("answered %s, want %s", again.Raw, first.Raw)
		}
		w.do(w.admin, "POST", "/api/v1/users", user, keyHeader, "k", "Accept", "application/problem+json").want(409).has(`"title":"Conflict"`)
		w.do(w.admin, "POST", "/api/v1/users", user, keyHeader, "another").want(201)
	})
}

func TestOtherMethodsHaveNoKeys(t *testing.T) {
	each(t, func(w *world) {
		id := w.post(w.ada, "Kept", true)
		for _, title := range []string{"A", "B"} {
			got := w.do(w.ada, "PATCH", fmt.Sprintf("/api/v1/posts/%d", id), `{"title": "`+title+`"}`, keyHeader, "k").want(200)
			if got.data()["title"] != title || got.Header.Get("Idempotency-Replayed") != "" {
				t.Errorf("PATCH to %s: %s", title, got.Raw)
			}
		}
	})
}

func TestAKeyCanBeRequired(t *testing.T) {
	each(t, func(w *world) {
		c := w.config()
		c.KeyRequired = []string{"createPost"}
		w.handler = serve(t, c)
		refused := w.do(w.ada, "POST", "/api/v1/posts", postBody("Keyless")).want(400)
		if refused.details()[keyHeader] != "is required" {
			t.Error(refused.Raw)
		}
		w.do(w.ada, "POST", "/api/v1/posts", postBody("Keyed"), keyHeader, "k").want(201)
	})
}

// TestManyAtOnce sends each key many times at once. One request has an
// effect; a request that is refused because that one runs gets its answer later. At full size:
// go test ./rest -run ManyAtOnce -args -keys 500 -requests 200.
func TestManyAtOnce(t *testing.T) {
	each(t, func(w *world) {
		var all sync.WaitGroup
		answers := make([][]*answer, *keys)
		send := func(key, i int) {
			title := fmt.Sprintf("Key %d", key)
			answers[key][i] = w.send(w.ada, "POST", "/api/v1/posts", postBody(title), keyHeader, title)
		}
		for key := range answers {
			answers[key] = make([]*answer, *requests)
			for i := range *requests {
				all.Go(func() { send(key, i) })
			}
		}
		all.Wait()
		for key := range answers {
			made, text := 0, ""
			for i := range answers[key] {
				a := answers[key][i]
				if a.Status == http.StatusConflict || a.Status == http.StatusServiceUnavailable { // it ran, or the database was busy
					if a.Header.Get("Retry-After") == "" {
						t.Fatalf("%d does not say when to come again: %s", a.Status, a.Raw)
					}
					send(key, i)
					a = answers[key][i]
				}
				if a.want(201); a.Header.Get("Idempotency-Replayed") == "" {
					made++
				}
				if text == "" {
					text = a.Raw
				}
				if a.Raw != text {
					t.Errorf("key %d: answered %s, want %s", key, a.Raw, text)
				}
			}
			if made != 1 {
				t.Errorf("key %d was executed %d times", key, made)
			}
		}
		if got := w.posts(); got != *keys {
			t.Errorf("there are %d posts, want %d", got, *keys)
		}
	})
}

// A repetition is judged like any request: by who asks and by what is wrong
// with the input, and only then by its key.
func TestTheInputComesBeforeTheKey(t *testing.T) {
	each(t, func(w *world) {
		w.do(w.ada, "POST", "/api/v1/posts", postBody("One"), keyHeader, "k").want(201)
		w.do(w.ada, "POST", "/api/v1/posts", `{"title": 1}`, keyHeader, "k").want(400).has("VALIDATION_ERROR")
		w.do(w.ada, "POST", "/api/v1/posts", `{"title": "", "content": "x"}`, keyHeader, "k").want(422).has("VALIDATION_ERROR")
		w.do(w.ada, "POST", "/api/v1/posts", `{`, keyHeader, "k").want(400).has("INVALID_JSON")
		w.do(w.ada, "POST", "/api/v1/posts", postBody("Two"), keyHeader, "k").want(422).has("IDEMPOTENCY_KEY_REUSED")
		w.do(w.ada, "POST", "/api/v1/posts?version=1", postBody("One"), keyHeader, "k").want(201)
		w.do(w.ada, "POST", "/api/v1/posts?fields=id", postBody("One"), keyHeader, "k").want(422).has("IDEMPOTENCY_KEY_REUSED")
		path := w.ordered(1999) + "/pay"
		w.do(w.ada, "POST", path, "", keyHeader, "k").want(200)
		w.do(w.ada, "POST", path, "", keyHeader, "k").want(200)
		w.do(w.nobody, "POST", path, "", keyHeader, "k").want(401)
		if got := w.posts(); got != 1 {
			t.Errorf("there are %d posts, want 1", got)
		}
	})
}

// Every POST that writes is answered again from what is kept of it: the same
// where nothing has changed.
func TestEveryPostIsAnsweredAgain(t *testing.T) {
	each(t, func(w *world) {
		post, draft := w.post(w.bob, "Liked", true), w.post(w.admin, "Draft", false)
		lamp := w.lamp(1999, 9)
		bought := w.ordered(1999)
		w.do(w.ada, "POST", bought+"/pay", "").want(200)
		product := w.do(w.ada, "GET", bought+"?expand=items", "").want(200).data()["items"].([]any)[0].(map[string]any)["product_id"]
		payment := w.do(w.ada, "POST", "/api/v1/payments", `{"amount":10,"currency":"USD"}`).want(201).Header.Get("Location")
		key := w.do(w.admin, "POST", "/api/v1/api-keys", warehouse).want(201).Header.Get("Location")
		failed := w.report(w.admin, "csv")
		w.endJob(failed, "failed")
		asked := map[string]bool{}
		for _, c := range []struct {
			who            *viewer.Viewer
			operation      string
			path, body     string
			status, second int
		}{
			{w.admin, "createAPIKey", "/api/v1/api-keys", strings.Replace(warehouse, "Warehouse", "Depot", 1), 201, 201},
			{w.admin, "rotateAPIKey", key + "/rotate", "", 200, 200},
			{w.admin, "pinAPIKey", key + "/pin", `{"api_version":"v2"}`, 200, 200},
			{w.ada, "createCartItem", "/api/v1/cart/items", fmt.Sprintf(`{"product_id":%d,"quantity":2}`, lamp), 201, 201},
			{w.admin, "createCategory", "/api/v1/categories", `{"name":"new-things"}`, 201, 201},
			{w.ada, "createComment", "/api/v1/comments", fmt.Sprintf(`{"text":"Yes.","post_id":%d}`, post), 201, 201},
			{w.ada, "createCommentOfPost", fmt.Sprintf("/api/v1/posts/%d/comments", post), `{"text":"Yes."}`, 201, 201},
			{w.ada, "createAttachmentOfComment", "/api/v1/comments/1/attachments", `{"caption":"Note G"}`, 201, 201},
			{w.ada, "createCommentAttachment", "/api/v1/comment-attachments", `{"caption":"Note A","comment_id":1}`, 201, 201},
			{w.admin, "sendEmail", "/api/v1/emails/send", `{"to":"ada@example.com","subject":"Hi","text":"!"}`, 202, 202},
			{w.admin, "generateReport", "/api/v1/reports/generate", `{"type":"users","format":"csv"}`, 202, 202},
			{w.admin, "retryJob", fmt.Sprintf("/api/v1/jobs/%d/retry", failed), "", 200, 200},
			{w.admin, "cancelJob", fmt.Sprintf("/api/v1/jobs/%d/cancel", w.report(w.admin, "json")), "", 200, 200},
			{w.ada, "createOrder", "/api/v1/orders", "", 201, 201},
			{w.ada, "cancelOrder", w.ordered(1999) + "/cancel", "", 200, 200},
			{w.ada, "payOrder", w.ordered(1999) + "/pay", "", 200, 200},
			{w.admin, "refundOrder", bought + "/refund", `{"amount":1}`, 200, 200},
			{w.ada, "createPayment", "/api/v1/payments", `{"amount":11,"currency":"USD"}`, 201, 200},
			{w.admin, "refundPayment", payment + "/refund", "", 200, 200},
			{w.ada, "createPost", "/api/v1/posts", postBody("New"), 201, 201},
			{w.ada, "createPostOfUser", fmt.Sprintf("/api/v1/users/%d/posts", w.ada.UserID), postBody("New"), 201, 201},
			{w.admin, "publishPost", fmt.Sprintf("/api/v1/posts/%d/publish", draft), "", 200, 200},
			{w.admin, "archivePost", fmt.Sprintf("/api/v1/posts/%d/archive", draft), "", 200, 200},
			{w.admin, "publishPosts", "/api/v1/posts/bulk/publish", fmt.Sprintf(`{"ids":[%d,9999]}`, draft), 207, 207},
			{w.admin, "archivePosts", "/api/v1/posts/bulk/archive", fmt.Sprintf(`{"ids":[%d,9999]}`, draft), 207, 207},
			{w.ada, "likePost", fmt.Sprintf("/api/v1/posts/%d/like", post), "", 201, 201},
			{w.ada, "sharePost", fmt.Sprintf("/api/v1/posts/%d/share", post), "", 201, 201},
			{w.ada, "followUser", fmt.Sprintf("/api/v1/users/%d/follow", w.bob.UserID), "", 201, 201},
			{w.admin, "createProduct", "/api/v1/products", `{"name":"Cup","price":1}`, 201, 201},
			{w.admin, "createProducts", "/api/v1/products/bulk", `{"products":[{"name":"Cup","price":1}]}`, 201, 201},
			{w.ada, "createReviewOfProduct", fmt.Sprintf("/api/v1/products/%v/reviews", product), `{"rating":4}`, 201, 201},
			{w.admin, "createPictureOfProduct", fmt.Sprintf("/api/v1/products/%v/pictures", product), `{"alt":"The front"}`, 201, 201},
			{w.admin, "createProductPicture", "/api/v1/product-pictures", fmt.Sprintf(`{"alt":"The back","product_id":%v}`, product), 201, 201},
			{w.admin, "createReview", "/api/v1/reviews", fmt.Sprintf(`{"rating":4,"product_id":%d}`, lamp), 0, 0},
			{w.admin, "createUser", "/api/v1/users", `{"name":"Eve","email":"eve@example.com"}`, 201, 201},
			{w.admin, "createUsers", "/api/v1/users/bulk", `{"users":[{"name":"Eve","email":"eve@example.com"},{"name":"Tom","email":"tom@example.com"},{"name":1}]}`, 207, 207},
			{w.admin, "deactivateUser", fmt.Sprintf("/api/v1/users/%d/deactivate", w.bob.UserID), "", 200, 200},
			{w.admin, "activateUser", fmt.Sprintf("/api/v1/users/%d/activate", w.bob.UserID), "", 200, 200},
			{w.admin, "restoreCategory", "/api/v1/categories/new-things/restore", "", 200, 200},
			{w.admin, "restoreComment", "/api/v1/comments/1/restore", "", 200, 200},
			{w.admin, "restorePost", fmt.Sprintf("/api/v1/posts/%d/restore", draft), "", 200, 200},
			{w.admin, "restoreProduct", fmt.Sprintf("/api/v1/products/%d/restore", lamp), "", 200, 200},
			{w.admin, "restoreReview", "/api/v1/reviews/1/restore", "", 200, 200},
			{w.admin, "restoreUser", fmt.Sprintf("/api/v1/users/%d/restore", w.moderator.UserID), "", 200, 200},
			{w.ada, "receivePaymentEvent", "/api/v1/payments/webhook", "", 0, 0},
			{w.ada, "uploadFile", "/api/v1/files", "", 0, 0},
			{w.ada, "requestUpload", "/api/v1/files/uploads", "", 0, 0},
		} {
			asked[c.operation] = true
			if c.status == 0 {
				continue // reviews need a purchase, events a signature, and uploads a file: they have tests of their own
			}
			if strings.HasPrefix(c.operation, "restore") {
				w.do(w.admin, "DELETE", strings.TrimSuffix(c.path, "/restore"), "").want(204)
			}
			before := storetest.Count(t, w.db, "idempotency_records")
			first := w.do(c.who, "POST", c.path, c.body, keyHeader, c.operation).want(c.status)
			again := w.do(c.who, "POST", c.path, c.body, keyHeader, c.operation).want(c.second)
			want := regexp.MustCompile(`,"key":"ek_[^"]*"`).ReplaceAllString(first.Raw, "")
			if again.Raw != want || again.Header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("%s: answered %s (%v), want %s", c.operation, again.Raw, again.Header, want)
			}
			for version, path := range map[string]string{"v2": "/api/v2/", "v3": "/api/v3/"} {
				other := w.send(c.who, "POST", strings.Replace(c.path, "/api/v1/", path, 1), c.body, keyHeader, c.operation).want(c.second)
				if other.Header.Get("Idempotency-Replayed") != "true" {
					t.Errorf("%s in %s was done again: %s", c.operation, version, other.Raw)
				}
				(&difference{t: w.t, asked: other.asked}).success(version, again.Body, other.Body)
			}
			for _, name := range []string{"Content-Type", "Location", "Retry-After", "Last-Modified", "Vary"} {
				if got, want := again.Header.Get(name), first.Header.Get(name); got != want {
					t.Errorf("%s: %s is %q, want %q", c.operation, name, got, want)
				}
			}
			if n := storetest.Count(t, w.db, "idempotency_records"); n != before+1 {
				t.Errorf("%s: %d records, want one more than %d", c.operation, n, before)
			}
		}
		for _, body := range storetest.Ask[[]byte](t, w.db, "SELECT body FROM idempotency_records") {
			if len(body) > 500 {
				t.Errorf("kept %s", body)
			}
		}
		if n := storetest.Count(t, w.db, "idempotency_records WHERE entity IS NULL AND body IS NULL"); n != 0 {
			t.Errorf("%d records have nothing to answer with", n)
		}
		operationsOf(t, func(method, path string, op map[string]any) {
			keyed := strings.Contains(fmt.Sprint(op["parameters"]), "IdempotencyKey")
			id := op["operationId"].(string)
			o := generated.Operations[id]
			kept := o != nil && o.Keyed || id == "uploadFile" || id == "requestUpload" // the id of a file is made of the key: no record keeps it
			if keyed != asked[id] || keyed != kept {
				t.Errorf("%s %s takes a key: %v", method, path, keyed)
			}
		})
	})
}

// The caller's rights have changed between a request and its repetition.
func TestARepetitionIsSeenByPresentRights(t *testing.T) {
	each(t, func(w *world) {
		w.ent.User.UpdateOneID(userID(w.admin)).SetSalary(123456).ExecX(w.system)
		w.ent.User.UpdateOneID(userID(w.ada)).SetSalary(123456).ExecX(w.system)
		demoted := &viewer.Viewer{UserID: w.admin.UserID, Role: "user"}
		own, others := "/api/v1/posts?expand=author", fmt.Sprintf(`{"title":"Another's","content":"x","author_id":%d}`, w.ada.UserID)
		w.do(w.admin, "POST", own, postBody("Own"), keyHeader, "own").want(201).has(`"salary":123456`)
		w.do(w.admin, "POST", own, others, keyHeader, "others").want(201).has(`"salary":123456`)
		users := `{"users":[{"name":"Eve","email":"eve@example.com"}]}`
		w.do(w.admin, "POST", "/api/v1/users/bulk", users, keyHeader, "users").want(207)
		w.ent.User.UpdateOneID(userID(w.ada)).SetIsActive(false).ExecX(w.system)
		path := fmt.Sprintf("/api/v1/users/%d/activate", w.ada.UserID)
		w.do(w.admin, "POST", path, "", keyHeader, "activate").want(200).has(`"salary":123456`)

		again := w.do(demoted, "POST", own, postBody("Own"), keyHeader, "own").want(201)
		if strings.Contains(again.Raw, "salary") || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("a former admin reads %s", again.Raw)
		}
		w.do(demoted, "POST", own, others, keyHeader, "others").want(403) // a caller that may name no author gets that refusal first
		w.do(demoted, "POST", "/api/v1/users/bulk", users, keyHeader, "users").want(403)
		w.do(demoted, "POST", path, "", keyHeader, "activate").want(403)
		if got := w.posts(); got != 2 {
			t.Errorf("there are %d posts, want 2", got)
		}

		id := w.post(w.ada, "Gone", true)
		comment := fmt.Sprintf("/api/v1/posts/%d/comments", id)
		w.do(w.bob, "POST", comment, `{"text":"Yes."}`, keyHeader, "k").want(201)
		made := w.ent.Comment.Query().OnlyX(w.system)
		w.do(w.bob, "PATCH", fmt.Sprintf("/api/v1/comments/%d", made.ID), `{"text":"No."}`).want(200)
		w.do(w.bob, "POST", comment, `{"text":"Yes."}`, keyHeader, "k").want(201).has(`"text":"No."`)
		w.do(w.bob, "DELETE", fmt.Sprintf("/api/v1/comments/%d", made.ID), "").want(204)
		w.do(w.bob, "POST", comment, `{"text":"Yes."}`, keyHeader, "k").want(404)
		if n := w.ent.Comment.Query().CountX(w.system); n > 1 {
			t.Errorf("%d comments", n)
		}
	})
}

// A payment is answered as before while the caller's rights are the same, and in its
// current state where they changed.
func TestARepeatedPaymentIsAnsweredAsItWas(t *testing.T) {
	each(t, func(w *world) {
		const body = `{"amount":10,"currency":"USD"}`
		first := w.do(w.ada, "POST", "/api/v1/payments", body, keyHeader, "k").want(201)
		w.do(w.admin, "POST", first.Header.Get("Location")+"/refund", `{"amount":4}`).want(200)
		again := w.do(w.ada, "POST", "/api/v1/payments", body, keyHeader, "k").want(200)
		if again.Raw != first.Raw || again.Header.Get("Last-Modified") != "" || again.Header.Get("Location") != first.Header.Get("Location") {
			t.Errorf("answered %s (%v), want %s", again.Raw, again.Header, first.Raw)
		}
		w.do(w.ada, "POST", "/api/v1/payments", body, keyHeader, "k", "Accept", "application/xml").want(200).has("<amount_refunded>0</amount_refunded>")
		editor := &viewer.Viewer{UserID: w.ada.UserID, Role: "editor"}
		w.do(editor, "POST", "/api/v1/payments", body, keyHeader, "k").want(200).has(`"amount_refunded":4`)
		if n := storetest.Count(t, w.db, "sandbox_charges"); n != 2 { // and the refund
			t.Errorf("%d charges", n)
		}
	})
}

// The records of one caller are bounded, and a request whose record can't be kept has no
// effect.
func TestTooManyKeys(t *testing.T) {
	each(t, func(w *world) {
		c := w.config()
		c.Keeper = &idempotency.Keeper{DB: w.db, Limits: idempotency.Limits{Records: 2, Body: 100}}
		w.handler = serve(t, c)
		products := `{"products":[` + strings.TrimSuffix(strings.Repeat(`{"name":"Many","price":1},`, 100), ",") + `]}`
		w.do(w.admin, "POST", "/api/v1/products/bulk", products, keyHeader, "k").want(413).has("nothing was done")
		w.do(w.admin, "POST", "/api/v1/products/bulk", products).want(201)
		for _, title := range []string{"One", "Two"} {
			w.do(w.ada, "POST", "/api/v1/posts", postBody(title), keyHeader, title).want(201)
		}
		refused := w.do(w.ada, "POST", "/api/v1/posts", postBody("Three"), keyHeader, "Three").want(429).has("too many Idempotency-Keys")
		if seconds, err := strconv.Atoi(refused.Header.Get("Retry-After")); err != nil || seconds < 86_000 || seconds > 86_400 {
			t.Errorf("Retry-After is %q", refused.Header.Get("Retry-After"))
		}
		w.do(w.ada, "POST", "/api/v1/payments", `{"amount":10,"currency":"USD"}`, keyHeader, "Three").want(429)
		w.do(w.ada, "POST", "/api/v1/posts", postBody("One"), keyHeader, "One").want(201) // a repetition
		w.do(w.ada, "POST", "/api/v1/posts", postBody("Three")).want(201)
		w.do(w.bob, "POST", "/api/v1/posts", postBody("Three"), keyHeader, "Three").want(201)
		if n := w.ent.Product.Query().CountX(w.system) + w.ent.Payment.Query().CountX(w.system); n != 100 || w.posts() != 4 {
			t.Errorf("%d products and payments, %d posts", n, w.posts())
		}
	})
}

// A request that was carried out before records were as they are now has no
// second effect.
func TestAnAnswerThatIsNotKeptAnyMore(t *testing.T) {
	each(t, func(w *world) {
		w.do(w.ada, "POST", "/api/v1/posts", postBody("One"), keyHeader, "k").want(201)
		storetest.Do(t, w.db, "UPDATE idempotency_records SET entity = NULL, row_id = NULL")
		w.do(w.ada, "POST", "/api/v1/posts", postBody("One"), keyHeader, "k").want(409).has("carried out before")
		if got := w.posts(); got != 1 {
			t.Errorf("there are %d posts, want 1", got)
		}
	})
}
