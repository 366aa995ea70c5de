package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

func (a *answer) echoed(field string) (value any, ok bool) {
	details, _ := a.at("error", "details").([]any)
	for _, d := range details {
		if member := d.(map[string]any); member["field"] == field {
			value, ok = member["value"]
		}
	}
	return value, ok
}

func TestADuplicateIsToldByItsValue(t *testing.T) {
	each(t, func(w *world) {
		taken := w.do(w.admin, "POST", "/api/v1/users", `{"name":"Ada","email":"ADA@example.com","password":"correct horse 1"}`).want(409)
		if value, _ := taken.echoed("email"); value != "ADA@example.com" || strings.Contains(taken.Raw, "horse") {
			t.Errorf("a duplicate: %s", taken.Raw)
		}
		bob := fmt.Sprintf("/api/v1/users/%d", w.bob.UserID)
		if value, _ := w.do(w.admin, "PATCH", bob, `{"email":"ada@example.com"}`).want(409).echoed("email"); value != "ada@example.com" {
			t.Errorf("a change to a duplicate has the value %v", value)
		}
		many := w.do(w.admin, "POST", "/api/v1/users/bulk", `{"users":[{"name":"New","email":"new@example.com"},{"name":"Ada","email":"ada@example.com"}]}`).want(207)
		if !strings.Contains(many.Raw, `{"field":"email","message":"is taken","value":"ada@example.com"}`) {
			t.Errorf("a duplicate among many: %s", many.Raw)
		}
		for _, path := range []string{"/api/v1/posts?limit=1&limit=2", "/api/v1/reports/sales?interval=1&interval=2"} {
			name, _, _ := strings.Cut(path[strings.Index(path, "?")+1:], "=")
			value, _ := w.do(w.admin, "GET", path, "").want(400).echoed(name)
			if fmt.Sprint(value) != "[1 2]" {
				t.Errorf("GET %s: the value is %v", path, value)
			}
		}
	})
}
