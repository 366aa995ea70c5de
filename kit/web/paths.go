package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/expose"
)

// restPath begins the paths of REST, with any version or none after it.
const restPath = expose.Prefix + "/"

// credential returns which operation on credentials a path is, and whether it
// is one.
func (e *Edge) credential(path string) (name string, ok bool) {
	c := e.Service.Credentials
	if c.Path == "" || !strings.HasPrefix(path, restPath) {
		return "", false
	}
	_, name, ok = strings.Cut(path, c.Path)
	return name, ok
}

// isAuth reports whether a path is one that gives or takes credentials.
func (e *Edge) isAuth(path string) bool {
	_, ok := e.credential(path)
	return ok
}

// isEntrance reports whether a path is one that is asked by who is outside,
// perhaps with a credential of before.
func (e *Edge) isEntrance(path string) bool {
	name, ok := e.credential(path)
	return ok && slices.Contains(e.Service.Credentials.Entrances, name)
}

// isPlain reports whether a path has to do with credentials, but not with
// cookies.
func (e *Edge) isPlain(path string) bool {
	name, ok := e.credential(path)
	return ok && slices.Contains(e.Service.Credentials.Plain, name)
}

// IsWebhook reports whether the path is that of the webhook of s, below any version of
// REST.
func IsWebhook(s expose.Service, path string) bool {
	return s.Webhook != "" && strings.HasPrefix(path, restPath) && strings.HasSuffix(path, s.Webhook)
}

// followsLink reports whether a request follows a signed link to a file. The link says whose
// rights count, so that the cookies which a browser happens to send do not.
func followsLink(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || !strings.HasPrefix(r.URL.Path, restPath) {
		return false
	}
	version, id, _ := strings.Cut(r.URL.Path[len(expose.Prefix):], uploadPath+"/")
	return strings.Count(version, "/") <= 1 && expose.IsFile(expose.FilePath+id) && r.URL.Query().Get("token") != ""
}
