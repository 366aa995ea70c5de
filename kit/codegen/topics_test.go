package codegen_test

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// driveTopics hears of suppliers by the subscriptions that their topics feed.
func driveTopics(user, admin, nobody *driven) {
	t := user.t
	made := user.rest("POST", "/suppliers", `{"name":"Told","grade":"silver"}`, 201)
	path := fmt.Sprintf("/suppliers/%v", made["id"])
	graded := user.hear(t, fmt.Sprintf(`supplierGraded(id: "%v") { name grade }`, made["id"]))
	graded.told(`{"data":{"supplierGraded":{"name":"Told","grade":"silver"}}}`) // the current row
	all := user.hear(t, `newSupplier { name margin }`)
	branches := admin.hear(t, fmt.Sprintf(`newBranch(supplierId: "%v") { name parent { name } }`, made["id"]))

	user.rest("PATCH", path, `{"grade":"bronze"}`, 200)
	graded.told(`{"data":{"supplierGraded":{"name":"Told","grade":"bronze"}}}`)
	user.rest("PATCH", path, `{"grade":"gold"}`, 200)
	graded.told(`{"data":{"supplierGraded":{"name":"Told","grade":"gold"}}}`)
	graded.complete()

	branch := user.rest("POST", "/suppliers", fmt.Sprintf(`{"name":"Branch","parent_id":%v}`, made["id"]), 201)
	branches.told(`{"data":{"newBranch":{"name":"Branch","parent":{"name":"Told"}}}}`)
	if got := all.next(); !strings.Contains(got, `{"newSupplier":{"name":"Branch","margin":null}}`) || !strings.Contains(got, "FORBIDDEN") {
		t.Errorf("a field that only admins see: %s", got)
	}
	kept := user.rest("POST", "/suppliers", `{"name":"Kept","grade":"silver"}`, 201)
	keptPath := fmt.Sprintf("/suppliers/%v", kept["id"])
	for _, who := range []*driven{user, admin} { // who may read deleted rows, too
		ends := who.hear(t, fmt.Sprintf(`supplierGraded(id: "%v") { grade }`, kept["id"]))
		ends.told(`{"data":{"supplierGraded":{"grade":"silver"}}}`)
		below := who.hear(t, fmt.Sprintf(`newBranch(supplierId: "%v") { name }`, kept["id"]))
		admin.rest("DELETE", keptPath, "", 204)
		ends.complete()
		below.complete()
		if got := who.hear(t, fmt.Sprintf(`supplierGraded(id: "%v") { grade }`, kept["id"])).next(); !strings.Contains(got, "NOT_FOUND") {
			t.Errorf("a stream about a deleted supplier: %s", got)
		}
		admin.rest("POST", keptPath+"/restore", "", 200)
	}
	admin.rest("DELETE", fmt.Sprintf("/suppliers/%v?hard=true", branch["id"]), "", 204)
	admin.rest("DELETE", path+"?hard=true", "", 204)
	branches.complete()

	for query, want := range map[string]string{
		`newSupplier { name }`: "UNAUTHENTICATED", `supplierGraded(id: "1000000") { name }`: "UNAUTHENTICATED",
	} {
		if got := nobody.hear(t, query).next(); !strings.Contains(got, want) {
			t.Errorf("%s by an anonymous caller: %s, want %s", query, got, want)
		}
	}
	if got := user.hear(t, `supplierGraded(id: "1000000") { name }`).next(); !strings.Contains(got, "NOT_FOUND") {
		t.Errorf("a supplier that there is not: %s", got)
	}
}

// heard is the stream of a subscription, as server-sent events.
type heard struct {
	t     *testing.T
	lines *bufio.Scanner
}

// hear subscribes. When it returns, the subscription has been accepted or refused.
func (d *driven) hear(t *testing.T, field string) *heard {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", d.url+"/graphql", strings.NewReader(encoded("subscription { "+field+" }")))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	if d.token != "" {
		r.Header.Set("Authorization", "Bearer "+d.token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return &heard{t, bufio.NewScanner(resp.Body)}
}

// next is the data of the next event.
func (h *heard) next() string {
	h.t.Helper()
	for h.lines.Scan() {
		if data, ok := strings.CutPrefix(h.lines.Text(), "data: "); ok {
			return data
		}
	}
	h.t.Fatalf("the stream ended: %v", h.lines.Err())
	return ""
}

func (h *heard) told(want string) {
	h.t.Helper()
	if got := h.next(); got != want {
		h.t.Errorf("heard %s\nwant  %s", got, want)
	}
}

// complete requires that nothing follows.
func (h *heard) complete() {
	h.t.Helper()
	for h.lines.Scan() {
		switch text := h.lines.Text(); {
		case text == "event: complete":
			return
		case strings.HasPrefix(text, "data: "):
			h.t.Fatalf("heard %s, want the end", text)
		}
	}
	h.t.Fatalf("the stream ended without its completion: %v", h.lines.Err())
}
