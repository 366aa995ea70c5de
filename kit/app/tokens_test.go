package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/idp/idptest"
	"github.com/entwine-go/entwine/kit/kittest/apptest"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A service without accounts takes tokens of another issuer: what they say is who
// calls.
func TestCallersOfAnotherIssuer(t *testing.T) {
	t.Parallel()
	i := idptest.NewIssuer(t)
	i.Add("1", "RS256")
	settings := []string{"ENTWINE_JWT_ISSUER=" + i.URL, "ENTWINE_JWT_KEYS_URL=" + i.URL + "/keys", "ENTWINE_JWT_AUDIENCE=" + idptest.Audience}
	who := func(h *app.Host) (*app.Parts, error) {
		return &app.Parts{Handlers: map[string]http.Handler{"/who": h.Handler(func(w http.ResponseWriter, r *http.Request) error {
			v := viewer.From(r.Context())
			_, err := fmt.Fprintf(w, "%d %s", v.UserID, v.Role)
			if v.Tenant != 0 {
				_, err = fmt.Fprintf(w, " of %d", v.Tenant)
			}
			return err
		})}}, nil
	}
	for what, c := range map[string]struct {
		settings []string
		claims   jwt.MapClaims
		code     int
		want     string
	}{
		"by issuer and subject":  {nil, jwt.MapClaims{"sub": "ada-1", "role": "editor"}, 200, " editor"},
		"with an id":             {[]string{"ENTWINE_JWT_USER_CLAIM=uid"}, jwt.MapClaims{"uid": 7, "role": "user"}, 200, "7 user"},
		"with an id as a text":   {[]string{"ENTWINE_JWT_USER_CLAIM=sub"}, jwt.MapClaims{"sub": "8"}, 200, "8 "},
		"with an id that is not": {[]string{"ENTWINE_JWT_USER_CLAIM=sub"}, jwt.MapClaims{"sub": "ada"}, 401, "token invalid"},
		"with roles": {
			[]string{"ENTWINE_JWT_USER_CLAIM=uid", "ENTWINE_JWT_ROLE_CLAIM=realm_access.roles", "ENTWINE_JWT_ROLES=admin,user"},
			jwt.MapClaims{"uid": 9, "realm_access": map[string]any{"roles": []string{"offline_access", "user", "admin"}}}, 200, "9 admin",
		},
		"with a role that does not count": {[]string{"ENTWINE_JWT_USER_CLAIM=uid", "ENTWINE_JWT_ROLES=user"}, jwt.MapClaims{"uid": 9, "role": "admin"}, 200, "9 "},
		"of a tenant":                     {[]string{"ENTWINE_JWT_USER_CLAIM=uid", "ENTWINE_JWT_TENANT_CLAIM=org.id"}, jwt.MapClaims{"uid": 9, "org": map[string]any{"id": 5}}, 200, "9  of 5"},
		"for others":                      {nil, jwt.MapClaims{"aud": "others"}, 401, "token invalid"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := apptest.Serve(t, service(who), append(settings, c.settings...)...)
			s.Header.Set("Authorization", "Bearer "+i.Sign("1", c.claims))
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/who", nil)
			r.Header = s.Header
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code != c.code {
				t.Errorf("it is %d %s, want %d", w.Code, w.Body, c.code)
			}
			said := s.Ask("GET", "/who", "", c.want)
			if what == "by issuer and subject" && (said == "0 editor" || said != s.Ask("GET", "/who", "", c.want)) {
				t.Errorf("a caller without a row is %s", said)
			}
			s.Header.Set("Authorization", "Bearer none.of.these")
			s.Ask("GET", "/who", "", "takes no credentials")
		})
	}
}
