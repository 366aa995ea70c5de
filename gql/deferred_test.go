package gql_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

const takesParts = "multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9"

func deferring(query string) *http.Request {
	body, _ := json.Marshal(map[string]any{"query": query, "variables": theirVariables})
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", takesParts)
	return r
}

// parts returns the parts of an answer, without what they cost: one where it is no multipart.
func (w *world) parts(name, query string) []string {
	w.Helper()
	return partsOf(w.T, w.record(name, deferring(query)))
}

func partsOf(t *testing.T, answer *httptest.ResponseRecorder) []string {
	t.Helper()
	media, params, err := mime.ParseMediaType(answer.Header().Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if media != "multipart/mixed" {
		return []string{withoutCost(t, answer.Body.Bytes())}
	}
	if params["deferspec"] != "20220824" && params["incrementalspec"] != "v0.2" {
		t.Errorf("answered as %q", answer.Header().Get("Content-Type"))
	}
	var all []string
	for parts := multipart.NewReader(answer.Body, params["boundary"]); ; {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, withoutCost(t, text))
	}
}

// assembled is the result that a client puts together from the parts.
type assembled struct {
	data   any
	errors int
}

func (a *assembled) add(t *testing.T, part string) {
	t.Helper()
	var p struct {
		Data        any
		Errors      []any
		Incremental []struct {
			Data   any
			Path   []any
			Errors []any
		}
	}
	if err := json.Unmarshal([]byte(part), &p); err != nil {
		t.Fatal(err)
	}
	a.errors += len(p.Errors)
	if p.Data != nil {
		a.data = p.Data
	}
	for _, i := range p.Incremental {
		a.errors += len(i.Errors)
		at := a.data
		for _, step := range i.Path {
			switch step := step.(type) {
			case string:
				at = at.(map[string]any)[step]
			case float64:
				at = at.([]any)[int(step)]
			}
		}
		merge(at, i.Data)
	}
}

// merge adds what one object has to another. A value that is null because of an error stays
// null.
func merge(into, from any) {
	if into == nil {
		return
	}
	switch from := from.(type) {
	case map[string]any:
		for name, value := range from {
			there := into.(map[string]any)
			if before := there[name]; before == nil {
				there[name] = value
			} else {
				merge(before, value)
			}
		}
	case []any:
		for i, value := range from {
			merge(into.([]any)[i], value)
		}
	}
}

// withoutCost leaves the extensions out.
func withoutCost(t *testing.T, body []byte) string {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	var all []string
	for _, name := range []string{"data", "errors", "pending", "incremental", "completed", "hasNext"} {
		if members[name] != nil {
			all = append(all, `"`+name+`":`+string(members[name]))
		}
	}
	return "{" + strings.Join(all, ",") + "}"
}

// Deferred fragments come in parts of their own, at every place of a query.
func TestDefer(t *testing.T) {
	each(t, func(w *world) {
		first, second := w.post(1, "First", 1), w.post(2, "Second", 2)
		w.comment(2, first, "Well")
		w.comment(1, second, "Said")
		for story, c := range map[string]struct {
			query string
			want  []string
		}{
			"of a row": {`{ post(id: 1) { title ... @defer(label: "later") { author { name } } } }`, []string{
				`{"data":{"post":{"title":"First"}},"hasNext":true}`,
				`{"incremental":[{"data":{"author":{"name":"Ada"}},"path":["post"],"label":"later"}],"hasNext":false}`,
			}},
			"of fields that are columns": {`{ post(id: 1) { id ...F @defer } } fragment F on Post { title }`, []string{
				`{"data":{"post":{"id":"` + id("Post", 1) + `"}},"hasNext":true}`,
				`{"incremental":[{"data":{"title":"First"},"path":["post"]}],"hasNext":false}`,
			}},
			"in a list": {`{ posts { title author { name ... @defer { role } } } }`, []string{
				`{"data":{"posts":[{"title":"Second","author":{"name":"Bob"}},{"title":"First","author":{"name":"Ada"}}]},"hasNext":true}`,
				`{"incremental":[{"data":{"role":"user"},"path":["posts",0,"author"]},{"data":{"role":"admin"},"path":["posts",1,"author"]}],"hasNext":false}`,
			}},
			"in one another": {`{ post(id: 1) { title ... @defer(label: "a") { author { name ... @defer(label: "b") { role } } comments { text ... @defer(label: "c") { author { name } } } } } }`, []string{
				`{"data":{"post":{"title":"First"}},"hasNext":true}`,
				`{"incremental":[{"data":{"author":{"name":"Ada"},"comments":[{"text":"Well"}]},"path":["post"],"label":"a"}],"hasNext":true}`,
				`{"incremental":[{"data":{"role":"admin"},"path":["post","author"],"label":"b"}],"hasNext":true}`,
				`{"incremental":[{"data":{"author":{"name":"Bob"}},"path":["post","comments",0],"label":"c"}],"hasNext":false}`,
			}},
			"directly in one another": {`{ post(id: 1) { title ... @defer(label: "a") { ... @defer(label: "b") { content } } } }`, []string{
				`{"data":{"post":{"title":"First"}},"hasNext":true}`,
				`{"incremental":[{"data":{"content":"…"},"path":["post"],"label":"b"}],"hasNext":false}`,
			}},
			"of edges": {`{ postsConnection(orderBy: {field: TITLE}) { edges { node { title } ... @defer { node { author { name } } } } } }`, []string{
				`{"data":{"postsConnection":{"edges":[{"node":{"title":"First"}},{"node":{"title":"Second"}}]}},"hasNext":true}`,
				`{"incremental":[{"data":{"node":{"author":{"name":"Ada"}}},"path":["postsConnection","edges",0]},{"data":{"node":{"author":{"name":"Bob"}}},"path":["postsConnection","edges",1]}],"hasNext":false}`,
			}},
			"of a connection": {`{ postsConnection(first: 1) { nodes { title } ... @defer(label: "n") { totalCount pageInfo { hasNextPage } edges { node { title } } } } }`, []string{
				`{"data":{"postsConnection":{"nodes":[{"title":"Second"}]}},"hasNext":true}`,
				`{"incremental":[{"data":{"totalCount":2,"pageInfo":{"hasNextPage":true},"edges":[{"node":{"title":"Second"}}]},"path":["postsConnection"],"label":"n"}],"hasNext":false}`,
			}},
			"of a search's total": {`{ postsConnection(where: {titleContainsFold: "sec"}) { nodes { title } ... @defer { totalCount totalCountExact } } }`, []string{
				`{"data":{"postsConnection":{"nodes":[{"title":"Second"}]}},"hasNext":true}`,
				`{"incremental":[{"data":{"totalCount":1,"totalCountExact":true},"path":["postsConnection"]}],"hasNext":false}`,
			}},
			"of connections in a list": {`{ posts { commentsConnection { nodes { text ... @defer(label: "row") { author { name } } } ... @defer(label: "total") { totalCount } } } }`, []string{
				`{"data":{"posts":[{"commentsConnection":{"nodes":[{"text":"Said"}]}},{"commentsConnection":{"nodes":[{"text":"Well"}]}}]},"hasNext":true}`,
				`{"incremental":[{"data":{"author":{"name":"Ada"}},"path":["posts",0,"commentsConnection","nodes",0],"label":"row"},{"data":{"author":{"name":"Bob"}},"path":["posts",1,"commentsConnection","nodes",0],"label":"row"}],"hasNext":true}`,
				`{"incremental":[{"data":{"totalCount":1},"path":["posts",0,"commentsConnection"],"label":"total"},{"data":{"totalCount":1},"path":["posts",1,"commentsConnection"],"label":"total"}],"hasNext":false}`,
			}},
			"at the root": {`{ me { name } ... @defer(label: "r") { post(id: 1) { title ... @defer { content } } other: __typename } }`, []string{
				`{"data":{"me":{"name":"Bob"}},"hasNext":true}`,
				`{"incremental":[{"data":{"post":{"title":"First"},"other":"Query"},"path":[],"label":"r"}],"hasNext":true}`,
				`{"incremental":[{"data":{"content":"…"},"path":["post"]}],"hasNext":false}`,
			}},
			"of a node": {`{ node(id: "` + id("Post", 1) + `") { id ... on Post @defer { title } ... on User @defer { name } } }`, []string{
				`{"data":{"node":{"id":"` + id("Post", 1) + `"}},"hasNext":true}`,
				`{"incremental":[{"data":{"title":"First"},"path":["node"]}],"hasNext":false}`,
			}},
			"what is also selected at once": {`{ post(id: 1) { author { name } ... @defer { author { name role } } } }`, []string{
				`{"data":{"post":{"author":{"name":"Ada"}}},"hasNext":true}`,
				`{"incremental":[{"data":{"author":{"name":"Ada","role":"admin"}},"path":["post"]}],"hasNext":false}`,
			}},
			"by a variable": {`query($yes: Boolean!, $no: Boolean!) { post(id: 1) { title ... @defer(if: $no) { content } ... @defer(if: $yes, label: "y") { sharesCount } ... @defer @skip(if: $yes) { id } } }`, []string{
				`{"data":{"post":{"title":"First","content":"…"}},"hasNext":true}`,
				`{"incremental":[{"data":{"sharesCount":0},"path":["post"],"label":"y"}],"hasNext":false}`,
			}},
			"nothing in the end":         {`query($no: Boolean!) { post(id: 1) { title ... @defer(if: $no) { content } } }`, []string{`{"data":{"post":{"title":"First","content":"…"}}}`}},
			"of rows that are not there": {`{ post(id: 1) { comments(where: {id: 99}) { text ... @defer { id } } } }`, []string{`{"data":{"post":{"comments":[]}}}`}},
			"with an error": {`{ user(id: 1) { name ... @defer { email salary } } post(id: 9) { ... @defer { title } } }`, []string{
				`{"data":{"user":{"name":"Ada"},"post":null},"errors":[{"message":"post not found","path":["post"],"locations":[{"line":1,"column":52}],"extensions":{"code":"NOT_FOUND","status":404}}],"hasNext":true}`,
				`{"incremental":[{"data":{"email":"ada@example.com","salary":null},"errors":[{"message":"you are not allowed to do this","path":["user","salary"],"locations":[{"line":1,"column":41}],"extensions":{"code":"FORBIDDEN","status":403}}],"path":["user"]}],"hasNext":false}`,
			}},
			"with a connection that is refused": {`{ user(id: 1) { name ... @defer { email postsConnection(after: "x") { totalCount } } ... @defer { other: postsConnection(first: -1) { totalCount } } } }`, []string{
				`{"data":{"user":{"name":"Ada"}},"hasNext":true}`,
				`{"incremental":[{"data":{"email":"ada@example.com","postsConnection":null},"errors":[{"message":"the cursor does not belong to this listing with this sort and these filters","path":["user","postsConnection"],"locations":[{"line":1,"column":41}],"extensions":{"code":"BAD_USER_INPUT","status":400}}],"path":["user"]}],"hasNext":true}`,
				`{"incremental":[{"data":{"other":null},"errors":[{"message":"first: must not be negative","path":["user","other"],"locations":[{"line":1,"column":99}],"extensions":{"code":"BAD_USER_INPUT","fields":[{"field":"first","message":"must not be negative","value":-1}],"status":400}}],"path":["user"]}],"hasNext":false}`,
			}},
			"of a mutation": {`mutation { likePost(postId: 1) { liked } updatePost(id: 2, input: {title: "Second"}) { title ... @defer { author { name } } } }`, []string{
				`{"data":{"likePost":{"liked":true},"updatePost":{"title":"Second"}},"hasNext":true}`,
				`{"incremental":[{"data":{"author":{"name":"Bob"}},"path":["updatePost"]}],"hasNext":false}`,
			}},
			"of introspection, which is whole": {`{ __type(name: "Like") { name ... @defer { kind ...K @defer } } } fragment K on __Type { description @skip(if: true) }`, []string{`{"data":{"__type":{"name":"Like","kind":"OBJECT"}}}`}},
		} {
			got := w.parts("bob", c.query)
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				w.Errorf("%s:\n got %s\nwant %s", story, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
			}
		}
	})
}

// A client distinguishes the parts of an answer by their labels.
func TestLabelsAreUnique(t *testing.T) {
	each(t, func(w *world) {
		for document, message := range map[string]string{
			`{ posts { ... @defer(label: "a") { id } ... @defer(label: "b") { title } ... @defer { content } ... @defer { likesCount } } }`: "",
			`{ posts { ...F } users { id } again: posts { ...F } } fragment F on Post { ... @defer(label: "a") { id } }`:                    "",
			`{ posts { ... @defer(label: "a") { id } } users { ... @defer(label: "a") { id } } }`:                                           `the label "a" of @defer must be unique: line 1 has it, too`,
			`{ posts { ...F @defer(label: "a") } } fragment F on Post { ... @defer(label: "a") { id } }`:                                    `the label "a" of @defer must be unique: line 1 has it, too`,
			`query($l: String = "a") { posts { ... @defer(label: $l) { id } } }`:                                                            "the label of @defer must be a text in the document, not a variable",
		} {
			got := w.as("bob", document)
			if message == "" && got.Errors == nil {
				continue
			}
			if len(got.Errors) != 1 || got.Errors[0].Message != message || got.Errors[0].Extensions["code"] != "GRAPHQL_VALIDATION_FAILED" {
				t.Errorf("%s: %+v, want %q", document, got.Errors, message)
			}
		}
	})
}

// flushes counts the statements that were run until each flush.
type flushes struct {
	*httptest.ResponseRecorder
	log  *store.Log
	seen []int
	text []string
}

func (f *flushes) Flush() {
	f.seen = append(f.seen, len(f.log.Statements()))
	f.text = append(f.text, f.Body.String())
}

// Deferred fields are read after the first part has been sent, those of a mutation after
// its commit, and for all rows at once.
func TestWhatIsDeferredIsReadLater(t *testing.T) {
	each(t, func(w *world) {
		for i := range 5 {
			w.comment(2, w.post(1, fmt.Sprint("Post ", i), i+1), "…")
		}
		ask := func(query string) *flushes {
			f := &flushes{ResponseRecorder: httptest.NewRecorder(), log: new(store.Log)}
			ctx := store.WithStatementLog(viewer.With(w.Context(), w.viewers["bob"]), f.log)
			w.ServeHTTP(f, deferring(query).WithContext(ctx))
			return f
		}
		for query, want := range map[string]string{
			`{ posts { title author { ... @defer { email } } ... @defer { comments { text author { name } } } } }`: "[1 2 4]",
			`{ posts { title ... @defer { author { name } } } }`:                                                   "[1 2]",
			`{ postsConnection(first: 2) { nodes { title } ... @defer { totalCount } } }`:                          "[1 2]",
			`{ me { name } ... @defer { posts { title } } }`:                                                       "[1 2]",
			`{ users { name postsConnection(first: 1) { nodes { id } ... @defer { totalCount } } } }`:              "[2 3]",
		} {
			f := ask(query)
			if got := fmt.Sprint(f.seen); got != want {
				t.Errorf("%s: %s statements before each flush, want %s\n%s", query, got, want, f.Body)
			}
			if first := f.text[0]; !strings.HasSuffix(first, "\"hasNext\":true}\r\n---\r\n") {
				t.Errorf("%s: sent first: %q", query, first)
			}
		}
		f := ask(`mutation { createPost(input: {title: "New", content: "…"}) { title ... @defer { author { name } } } }`)
		if len(f.seen) != 2 || f.seen[0] >= f.seen[1] || !strings.Contains(f.log.Statements()[f.seen[0]], "users") {
			t.Errorf("%v of %q", f.seen, f.log.Statements())
		}
	})
}

// A client that goes away is not read for any more.
func TestAClientThatDoesNotWaitForWhatIsDeferred(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "First", 1)
		seen := &witness{}
		c := w.config()
		c.Observer = seen
		w.Handler = serve(w, c)
		ctx, cancel := context.WithCancel(viewer.With(w.Context(), w.viewers["bob"]))
		f := &flushes{ResponseRecorder: httptest.NewRecorder(), log: new(store.Log)}
		r := deferring(`query Gone { posts { title ... @defer { author { name } } ... @defer { comments { text } } } }`)
		w.ServeHTTP(&leaving{f, cancel}, r.WithContext(store.WithStatementLog(ctx, f.log)))
		if n := len(f.log.Statements()); n != 1 {
			t.Errorf("%d statements", n)
		}
		if got := fmt.Sprint(seen.seen); !strings.Contains(got, `query "Gone" ok`) || w.log.Len() > 0 {
			t.Errorf("observed %s, logged %s", got, &w.log)
		}
	})
}

// A part that exceeds the request's time is reported as failed, with its path, and the
// response is completed.
func TestWhatIsDeferredForTooLong(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "First", 1)
		ctx := &overdue{Context: viewer.With(w.Context(), w.viewers["bob"]), done: make(chan struct{})}
		f := &leaving{&flushes{ResponseRecorder: httptest.NewRecorder(), log: new(store.Log)}, sync.OnceFunc(func() { close(ctx.done) })}
		w.ServeHTTP(f, deferring(`{ posts { title ... @defer { author { name } } ... @defer { comments { text } } } }`).WithContext(ctx))
		const failed = `{"incremental":[{"data":null,"errors":[{"message":"answering took too long: try again","path":["posts",0],"locations":[{"line":1,"column":3}],"extensions":{"code":"SERVICE_UNAVAILABLE","retryAfter":1,"status":503}}],"path":["posts",0]}]`
		want := []string{`{"data":{"posts":[{"title":"First"}]},"hasNext":true}`, failed + `,"hasNext":true}`, failed + `,"hasNext":false}`}
		if got := partsOf(t, f.ResponseRecorder); !slices.Equal(got, want) {
			t.Errorf("got %s\nwant %s", strings.Join(got, "\n    "), strings.Join(want, "\n     "))
		}
	})
}

// overdue is a context whose deadline is when it is done.
type overdue struct {
	context.Context
	done chan struct{}
}

func (o *overdue) Done() <-chan struct{} { return o.done }

func (o *overdue) Err() error {
	select {
	case <-o.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// leaving is a client that leaves when it has something.
type leaving struct {
	*flushes
	leave func()
}

func (l *leaving) Flush() { l.leave() }

// A client that accepts no multipart response, or one of another kind, gets all at once.
func TestWhoTakesParts(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "First", 1)
		for accept, parts := range map[string]bool{
			takesParts: true,
			`application/json, multipart/mixed; deferSpec="20220824"`:                                                           true,
			"multipart/mixed;incrementalSpec=v0.2,application/graphql-response+json,application/json;q=0.9":                     true,
			"application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed": false, // urql
			"multipart/mixed, application/json":                                                                                 false,
			"":                                                                                                                  false,
			"*/*":                                                                                                               false,
			"application/json":                                                                                                  false,
			"multipart/mixed;deferSpec=20991231,application/json":                                                               false,
			"multipart/mixed;incrementalDeliverySpec=3283f8a, application/json":      false,
			"multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json": false,
			"multipart/mixed;q=0, application/json":                                  false,
		} {
			r := deferring(`{ post(id: 1) { title ... @defer { author { name } } } }`)
			r.Header.Set("Accept", accept)
			got := w.record("bob", r)
			if media := got.Header().Get("Content-Type"); strings.HasPrefix(media, "multipart/mixed") != parts {
				t.Errorf("%q: answered as %s: %s", accept, media, got.Body)
			}
			if !parts && !strings.Contains(got.Body.String(), `{"data":{"post":{"title":"First","author":{"name":"Ada"}}}`) {
				t.Errorf("%q: %s", accept, got.Body)
			}
		}
	})
}

// The cost of deferred parts is charged with the rest, and reported in the last part.
func TestTheCostOfWhatIsDeferred(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "First", 1)
		body := w.raw("bob", deferring(`{ posts { title ... @defer { author { name } } } }`))
		for _, want := range []string{`"extensions":{"cost":{"requested":81,"actual":3,"limit":5000}},"hasNext":true}`, `"extensions":{"cost":{"requested":81,"actual":5,"limit":5000}},"hasNext":false}`} {
			if !strings.Contains(body, want) {
				t.Errorf("%s\nwant %s", body, want)
			}
		}
		w.as("bob", `{ post(id: 1) {`+strings.Repeat(` ... @defer { title }`, 20)+`} }`).wants(t, `{"post":{"title":"First"}}`)
		w.as("bob", `{ post(id: 1) {`+strings.Repeat(` ... @defer { title }`, 21)+`} }`).wants(t, `null`, " QUERY_TOO_COMPLEX")
	})
}

// Over connections that stay open, parts are messages.
func TestPartsOverStreams(t *testing.T) {
	onStage(t, func(s *stage) {
		s.post(1, "First", 1)
		const query = `{ post(id: 1) { title ... @defer(label: \"l\") { author { name } } } }`
		e := s.hear("bob").accepted()
		e.say(`{"id":"q","type":"subscribe","payload":{"query":"` + query + `"}}`)
		first, second := `{"data":{"post":{"title":"First"}},"extensions":{"cost":{"requested":5,"actual":3,"limit":5000}},"hasNext":true}`,
			`{"incremental":[{"data":{"author":{"name":"Ada"}},"path":["post"],"label":"l"}],"extensions":{"cost":{"requested":5,"actual":5,"limit":5000}},"hasNext":false}`
		e.wants(`{"id":"q","type":"next","payload":` + first + `}`)
		e.wants(`{"id":"q","type":"next","payload":` + second + `}`)
		e.wants(`{"id":"q","type":"complete"}`)

		r := httptest.NewRequest("POST", "/graphql", strings.NewReader(`{"query":"`+query+`"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "text/event-stream")
		want := ":\n\nevent: next\ndata: " + first + "\n\nevent: next\ndata: " + second + "\n\nevent: complete\ndata: \n\n"
		if got := s.raw("bob", r); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
		r = httptest.NewRequest("POST", "/graphql", strings.NewReader(`{"query":"`+query+`"}`))
		r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream;incrementalSpec=v0.2"}}
		if got := s.raw("bob", r); !strings.Contains(got, `"pending":[{"id":"0","path":["post"],"label":"l"}]`) || !strings.Contains(got, `"completed":[{"id":"0"}]`) {
			t.Errorf("in the later format: %s", got)
		}
	})
}

// The format is the one that is asked for, and of two the one that is liked
// better; who takes parts alone, of no format, gets one.
func TestTheFormatOfParts(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "First", 1)
		w.post(1, "Second", 2)
		ask := func(accept, query string) (media string, parts []string) {
			r := deferring(query)
			r.Header.Set("Accept", accept)
			answer := w.record("bob", r)
			return answer.Header().Get("Content-Type"), strings.Split(answer.Body.String(), "\r\n---")
		}
		for accept, media := range map[string]string{
			"multipart/mixed;incrementalSpec=v0.2":                                           `multipart/mixed; boundary="-"; incrementalSpec=v0.2`,
			"multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824":       `multipart/mixed; boundary="-"; incrementalSpec=v0.2`,
			"multipart/mixed;incrementalSpec=v0.2;q=0.5, multipart/mixed;deferSpec=20220824": `multipart/mixed; boundary="-"; deferSpec=20220824`,
			"multipart/mixed": `multipart/mixed; boundary="-"`,
		} {
			if got, parts := ask(accept, `{ post(id: 1) { title ... @defer { id } } }`); got != media {
				t.Errorf("%s: %s, want %s", accept, got, media)
			} else if whole := strings.Contains(parts[1], `"id":"`+id("Post", 1)); whole != (accept == "multipart/mixed") {
				t.Errorf("%s: the first part is %s", accept, parts[1])
			}
		}
		for query, want := range map[string][]string{
			`{ posts { title ... @defer(label: "l") { author { name } } } }`: {
				`{"data":{"posts":[{"title":"Second"},{"title":"First"}]},"pending":[{"id":"0","path":["posts",0],"label":"l"},{"id":"1","path":["posts",1],"label":"l"}],"hasNext":true}`,
				`{"incremental":[{"data":{"author":{"name":"Ada"}},"id":"0"},{"data":{"author":{"name":"Ada"}},"id":"1"}],"completed":[{"id":"0"},{"id":"1"}],"hasNext":false}`,
			},
			`{ ... @defer { me { name ... @defer { role } } } post(id: 1) { ... @defer { title } ... @defer { id } } }`: {
				`{"data":{"post":{}},"pending":[{"id":"0","path":[]},{"id":"1","path":["post"]},{"id":"2","path":["post"]}],"hasNext":true}`,
				`{"pending":[{"id":"3","path":["me"]}],"incremental":[{"data":{"me":{"name":"Bob"}},"id":"0"}],"completed":[{"id":"0"}],"hasNext":true}`,
				`{"incremental":[{"data":{"title":"First"},"id":"1"}],"completed":[{"id":"1"}],"hasNext":true}`,
				`{"incremental":[{"data":{"id":"` + id("Post", 1) + `"},"id":"2"}],"completed":[{"id":"2"}],"hasNext":true}`,
				`{"incremental":[{"data":{"role":"user"},"id":"3"}],"completed":[{"id":"3"}],"hasNext":false}`,
			},
			`{ user(id: 3) { name ... @defer { salary } } }`: {
				`{"data":{"user":{"name":"Mia"}},"pending":[{"id":"0","path":["user"]}],"hasNext":true}`,
				`{"incremental":[{"data":{"salary":null},"errors":[{"message":"you are not allowed to do this","path":["user","salary"],"locations":[{"line":1,"column":35}],"extensions":{"code":"FORBIDDEN","status":403}}],"id":"0"}],"completed":[{"id":"0"}],"hasNext":false}`,
			},
			`{ posts { author { ... @defer { is_active } } } }`: {
				`{"data":{"posts":[{"author":{}},{"author":{}}]},"pending":[{"id":"0","path":["posts",0,"author"]},{"id":"1","path":["posts",1,"author"]}],"hasNext":true}`,
				`{"completed":[{"id":"0","errors":[{"message":"token required","path":["posts",0,"author","is_active"],"locations":[{"line":1,"column":33}],"extensions":{"code":"UNAUTHENTICATED","status":401}}]},{"id":"1","errors":[{"message":"token required","path":["posts",1,"author","is_active"],"locations":[{"line":1,"column":33}],"extensions":{"code":"UNAUTHENTICATED","status":401}}]}],"hasNext":false}`,
			},
		} {
			r := deferring(query)
			r.Header.Set("Accept", "multipart/mixed;incrementalSpec=v0.2")
			who := "bob"
			if strings.Contains(query, "is_active") {
				who = "nobody"
			}
			if got := partsOf(t, w.record(who, r)); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s:\n got %s\nwant %s", query, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
			}
		}
	})
}
