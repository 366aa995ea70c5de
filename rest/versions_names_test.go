package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/gid"
)

// Names and ids are the version's also in what is written for later: links that are
// stored, and files.
func TestFilesAndStoredLinksHaveTheVersionsNames(t *testing.T) {
	each(t, func(w *world) {
		for version, begins := range map[string]string{
			"v1": "id,name,email,role,age,is_active,followers,created_at\r\n1,", "v3": "id,name,email,role,age,is_active,followers,created_at\r\n1,",
			"v2": "id,name,email,role,age,isActive,followers,createdAt\r\n" + gid.Encode("User", 1) + ",",
		} {
			a := w.send(w.admin, "POST", "/api/"+version+"/reports/generate", `{"type":"users","format":"csv"}`).want(202)
			path := a.Header.Get("Location")
			id := int64(w.send(w.admin, "GET", "/api/v1/jobs?limit=1", "").want(200).list()[0]["id"].(float64))
			w.doJob(id)
			job := w.send(w.admin, "GET", path, "").want(200)
			if url := `"` + path + `/result"`; !strings.Contains(job.Raw, url) {
				t.Errorf("%s: no %s in %s", version, url, job.Raw)
			}
			if file := w.send(w.admin, "GET", path+"/result", "").want(200); !strings.HasPrefix(file.Raw, begins) {
				t.Errorf("%s: the file begins with %q, want %q", version, file.Raw[:min(len(file.Raw), 100)], begins)
			}
		}
	})
}

// Problem details have the version's names, too.
func TestProblemDetailsHaveTheVersionsNames(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		for version, name := range map[string]string{"v1": "request_id", "v2": "requestId"} {
			a := r.visitor().do("GET", "/api/"+version+"/users", "", "Accept", "application/problem+json", "X-Request-Id", "AAAAAAAAAAAAAAAAAAAAAAAAAA").want(401)
			if a.at("code") == nil || strings.Contains(a.Raw, "equest") != strings.Contains(a.Raw, `"`+name+`"`) {
				t.Errorf("%s: %s", a.asked, a.Raw)
			}
		}
	})
}

// A row is last changed when it is created.
func TestARowIsCreatedAndChangedAtOnce(t *testing.T) {
	each(t, func(w *world) {
		w.do(w.admin, "POST", "/api/v1/categories", `{"name":"home"}`).want(201)
		w.do(w.admin, "POST", "/api/v1/products", `{"name":"Lamp","price":9.99,"stock":3}`).want(201)
		for path, body := range map[string]string{
			"categories": `{"name":"tools"}`, "products": `{"name":"Chair","price":1}`, "posts": `{"title":"T","content":"c"}`,
			"users": `{"name":"New One","email":"new@example.com"}`, "cart/items": `{"product_id":1,"quantity":1}`,
			"api-keys": `{"client_name":"depot","permissions":["read"]}`,
		} {
			a := w.do(w.admin, "POST", "/api/v1/"+path, body).want(201)
			item := a.data()
			if inner, ok := item["item"].(map[string]any); ok {
				item = inner
			}
			made, changed := item["created_at"], item["updated_at"]
			if made == nil {
				made, changed = item["createdAt"], item["updatedAt"]
			}
			if changed != nil && made != changed {
				t.Errorf("%s: created %v, changed %v", path, made, changed)
			}
		}
	})
}

// The message lists each allowed field once.
func TestUnknownParametersAreTold(t *testing.T) {
	each(t, func(w *world) {
		for _, version := range []string{"v1", "v2"} {
			a := w.send(w.ada, "GET", "/api/"+version+"/posts?colour=red&size=3&titel[gte]=x", "").want(400)
			if n := strings.Count(a.Raw, "allowed: "); n != 1 {
				t.Errorf("%s: what is allowed is listed %d times: %s", a.asked, n, a.Raw)
			}
			if n := strings.Count(a.Raw, "["); n > 9 || len(a.Raw) > 1200 {
				t.Errorf("%s: %d bytes with %d brackets: %s", a.asked, len(a.Raw), n, a.Raw)
			}
			if !strings.Contains(a.Raw, "search, from, to, id, title, published, ") || !strings.Contains(a.Raw, "fields take [in], [gte], [gt], [lte], [lt] as well") {
				t.Errorf("%s: %s", a.asked, a.Raw)
			}
		}
	})
}

// Errors name no type of Go.
func TestWrongIDsAreToldInPlainWords(t *testing.T) {
	each(t, func(w *world) {
		for _, value := range []string{"1.5", "true", "[]", "{}", `"x"`, "-1", "1e99", "null"} {
			for _, version := range []string{"v1", "v2", "v3"} {
				for _, c := range []string{`posts {"title":"T","content":"c","category_id":%s}`, `cart/items {"product_id":%s,"quantity":1}`, `orders {"items":[{"product_id":%s,"quantity":1}]}`} {
					path, body, _ := strings.Cut(c, " ")
					a := w.send(w.ada, "POST", "/api/"+version+"/"+path, fmt.Sprintf(body, value))
					for _, word := range []string{"json.", "map[", "[]interface", "interface {", "float64", "int64", "<nil>", "strconv"} {
						if strings.Contains(a.Raw, word) {
							t.Errorf("%s: %s", a.asked, a.Raw)
						}
					}
				}
			}
		}
	})
}
