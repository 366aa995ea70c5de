package web

import (
	_ "embed"
	"net/http"
)

// iconPath is where browsers look for the icon of every page.
const iconPath = "/favicon.ico"

//go:embed favicon.ico
var icon []byte

func serveIcon(w http.ResponseWriter, r *http.Request) {
	if !readOnly(w, r) {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/x-icon")
	h.Set("Cache-Control", "public, max-age=86400")
	if r.Method == http.MethodGet {
		_, _ = w.Write(icon) // the client may be gone
	}
}
