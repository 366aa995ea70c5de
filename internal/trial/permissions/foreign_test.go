package permissions_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/program"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/idp/idptest"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
	"github.com/golang-jwt/jwt/v5"
)

// Tokens of another issuer are those of users that are found by a claim: what a user
// may do is said by their row.
func TestTokensOfAnotherIssuerAreUsers(t *testing.T) {
	t.Parallel()
	i := idptest.NewIssuer(t)
	i.Add("1", "EdDSA")
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		p := &app.Process{Stdout: io.Discard, Stderr: t.Output(), Environ: []string{
			"ENTWINE_DATA_DIR=" + t.TempDir(), "ENTWINE_BCRYPT_COST=4", "ENTWINE_JWT_ISSUER=" + i.URL,
			"ENTWINE_JWT_KEYS_URL=" + i.URL + "/keys", "ENTWINE_JWT_AUDIENCE=" + idptest.Audience,
		}}
		server, end, err := program.Service("", "").Embed(t.Context(), p, db)
		if err != nil {
			t.Fatal(err)
		}
		defer end()
		ask := func(token string, want int, text string) {
			t.Helper()
			for path, body := range map[string]string{"/api/v1/auth/me": "", "/graphql": `{"query":"{ me { email role } }"}`} {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
				if body != "" {
					r = httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
					r.Header.Set("Content-Type", "application/json")
				}
				r.Header.Set("Authorization", "Bearer "+token)
				w := httptest.NewRecorder()
				server.Handler.ServeHTTP(w, r)
				if w.Code != want || !strings.Contains(w.Body.String(), text) {
					t.Errorf("%s: %d %s, want %d and %s", path, w.Code, w.Body, want, text)
				}
			}
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/auth/register", strings.NewReader(`{"name":"Ada Lovelace","email":"ada@example.com","password":"correct horse 1"}`))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		server.Handler.ServeHTTP(w, r)
		_, own, _ := strings.Cut(w.Body.String(), `"token":"`)
		own, _, _ = strings.Cut(own, `"`)

		ada := i.Sign("1", jwt.MapClaims{"email": "Ada@example.com", "email_verified": true, "role": "admin"})
		ask(own, 200, "ada@example.com")
		ask(ada, 200, `"role":"user"`)
		ask(i.Sign("1", jwt.MapClaims{"email": "ada@example.com"}), 401, "token invalid")
		critical := map[string]any{"crit": []string{"exp"}, "exp": 1}
		ask(i.SignWith("1", critical, jwt.MapClaims{"email": "ada@example.com", "email_verified": true}), 401, "token invalid")
		ask(i.Sign("1", jwt.MapClaims{"email": "eve@example.com", "email_verified": true}), 401, "token invalid")
		ask(i.Sign("1", jwt.MapClaims{"email": "ada@example.com", "email_verified": true, "aud": "others"}), 401, "token invalid")
		system := viewer.With(t.Context(), viewer.System())
		r = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/orders", nil)
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set("Authorization", "Bearer "+ada)
		stream := &listener{ResponseRecorder: httptest.NewRecorder(), hangUp: func() {}, happens: func() {
			if err := orm.Client(db).User.Update().Where(user.EmailFold("ada@example.com")).SetIsActive(false).Exec(system); err != nil {
				t.Error(err)
			}
		}}
		server.Handler.ServeHTTP(stream, r)
		if text := stream.Body.String(); !strings.Contains(text, "event: end\ndata: {\"code\":\"TOKEN_INVALID\"}") {
			t.Errorf("a list that stays open is answered with %s", text)
		}
		ask(ada, 401, "token invalid")
	})
}
