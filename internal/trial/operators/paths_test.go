package operators_test

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// restPath is a path of REST with a version, in a text for people or programs.
var restPath = regexp.MustCompile(`/api/v[0-9]+[A-Za-z0-9/_-]*`)

// Pages, messages and GraphQL name paths of REST without being asked for a version: they
// name one that is served. Version 1 is not offered here, or has ended.
func TestPathsThatAreShownAreServed(t *testing.T) {
	t.Parallel()
	for name, setting := range map[string]string{
		"version 1 is not offered": "ENTWINE_API_VERSIONS=v2=jsend",
		"version 1 has ended":      trial.Planned("ENTWINE_API_LIFECYCLE=v1 deprecated={-48} sunset={-24} successor=v2"),
		"version 2 is the default": "ENTWINE_API_VERSIONS=v2=main,v3=jsend",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := trial.Start(t, setting, "ENTWINE_RATE_LIMIT=off")
			as := []string{"Authorization", "Bearer " + s.Ask(t, "POST", "/api/v2/auth/register", trial.Ada).Want(t, 201).Body["token"].(string)}
			made := s.Ask(t, "POST", "/graphql", `{"query":"mutation { createPost(input: {title: \"Engines\", content: \"They weave.\"}) { id } }"}`, as...).Want(t, 200)
			id := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(made.Text)[1]
			shown := s.Ask(t, "POST", "/graphql", `{"query":"{ post(id: \"`+id+`\") { actions { name href } } }"}`, as...).Want(t, 200, `"name":"publish"`).Text
			publish := regexp.MustCompile(`"name":"publish","href":"([^"]+)"`).FindStringSubmatch(shown)[1]
			s.Ask(t, "POST", publish, "", as...).Want(t, 200, `"published":true`)
			shown += s.Ask(t, "POST", "/graphql", `{"query":"mutation { sharePost(postId: \"`+id+`\") { url } }"}`, as...).Want(t, 200, `"url":"/api/`).Text
			html := []string{"Accept", "text/html"}
			s.Output.Wait(t, "fills it with something to look at")
			shown += s.Ask(t, "GET", "/", "", html...).Want(t, 200).Text + s.Ask(t, "GET", "/api/v2/nothing", "", html...).Want(t, 404).Text +
				s.Ask(t, "GET", "/nothing", "", html...).Want(t, 404).Text + s.Ask(t, "GET", "/api/v9", "", html...).Want(t, 404, "<html").Text + s.Ask(t, "GET", "/console", "", html...).Want(t, 200).Text + s.Output.String()
			paths := map[string]bool{}
			for _, path := range restPath.FindAllString(shown, -1) {
				paths[path] = true
			}
			if len(paths) < 7 {
				t.Errorf("it shows %v", paths)
			}
			for path := range paths {
				switch a := s.Ask(t, "OPTIONS", path, "", as...); {
				case path == "/api/v2" || path == "/api/v2/nothing": // where they begin, and what was asked for
				case a.Status != http.StatusNoContent && a.Status != http.StatusMethodNotAllowed: // a page takes GET alone
					t.Errorf("%s, which it shows, is answered with %d %s", path, a.Status, a.Text)
				}
			}
		})
	}
}

// The path that an identity provider is given where no setting names one is served.
func TestAProviderIsGivenAPathThatIsServed(t *testing.T) {
	t.Parallel()
	var provider *httptest.Server
	provider = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{ // a failed answer is a failed test
			"issuer": provider.URL, "authorization_endpoint": provider.URL + "/auth", "token_endpoint": provider.URL + "/token", "jwks_uri": provider.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256"},
		})
	}))
	t.Cleanup(provider.Close)
	for setting, want := range map[string]string{"ENTWINE_API_VERSIONS=v1=main,v2=jsend": "/api/v1/auth/idp/callback", "ENTWINE_API_VERSIONS=v2=jsend": "/api/v2/auth/idp/callback"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		address := l.Addr().String()
		_ = l.Close()
		s := trial.Start(t, setting, "ENTWINE_ADDR="+address, "ENTWINE_OIDC_ISSUER="+provider.URL, "ENTWINE_OIDC_CLIENT_ID=entwine", "ENTWINE_OIDC_CLIENT_SECRET=hush",
			"ENTWINE_PUBLIC_URL=https://api.example.com", "ENTWINE_FRONTEND_URL=https://app.example.com/in")
		s.URL = "http://" + address
		to, err := url.Parse(s.Ask(t, "GET", "/api/auth/idp", "").Want(t, 302).Header.Get("Location"))
		if err != nil || to.Query().Get("redirect_uri") != "https://api.example.com"+want {
			t.Errorf("%s: sent to %s (%v), want it back at %s", setting, to, err, want)
		}
		if a := s.Ask(t, "GET", want, "", "Accept", "application/json"); strings.Contains(a.Text, "there is nothing at this path") || a.Status == 410 {
			t.Errorf("%s: %s is answered with %d %s", setting, want, a.Status, a.Text)
		}
	}
}
