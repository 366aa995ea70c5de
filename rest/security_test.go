package rest_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

var inPath = regexp.MustCompile(`\{\w+\}`)

// The document says of each operation what credentials it takes: callers without these
// are refused before anything else, and others are not.
func TestTheDocumentSaysWhatCredentialsOperationsTake(t *testing.T) {
	each(t, func(w *world) {
		loadContract(t)
		key := &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Read, viewer.Write}}
		for path, item := range contract.document["paths"].(map[string]any) {
			for _, method := range slices.Sorted(maps.Keys(item.(map[string]any))) {
				op, _ := item.(map[string]any)[method].(map[string]any)
				if op == nil || op["operationId"] == nil || op["operationId"] == "refresh" { // whose credential is a cookie of its own
					continue
				}
				takes := credentials(op)
				asked := "/api/v1" + inPath.ReplaceAllString(path, "999999")
				body := ""
				if method != "get" && method != "head" && op["requestBody"] != nil {
					body = "{}"
				}
				for who, v := range map[string]*viewer.Viewer{"anonymous": viewer.Anonymous(), "users": w.bob, "keys": key} {
					a := w.send(v, strings.ToUpper(method), asked, body)
					refused := a.Status == http.StatusForbidden || a.Status == http.StatusUnauthorized && a.at("error", "code") != "INVALID_CREDENTIALS"
					if refused == takes[who] {
						t.Errorf("%s %s by %s is answered with %d, and the document says that it takes %v: %.200s", method, path, who, a.Status, takes, a.Raw)
					}
				}
			}
		}
	})
}

// credentials are the callers that the operation takes, without need of a role.
func credentials(op map[string]any) map[string]bool {
	security, said := op["security"].([]any)
	if !said {
		security = contract.document["security"].([]any)
	}
	all := map[string]bool{}
	for _, one := range security {
		if len(one.(map[string]any)) == 0 {
			all["anonymous"] = true
			if len(security) == 1 { // credentials are nothing to it
				all["users"], all["keys"] = true, true
			}
		}
		for scheme, roles := range one.(map[string]any) {
			if len(roles.([]any)) == 0 {
				all[map[bool]string{true: "keys", false: "users"}[scheme == "apiKey"]] = true
			}
		}
	}
	if len(all) == 0 {
		all[fmt.Sprint(security)] = true
	}
	return all
}
