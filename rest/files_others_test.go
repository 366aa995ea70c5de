package rest_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

var fileTries = flag.Int("file-tries", 5_000, "how often TestNoFileOfAnotherIsReached tries, on each database")

// tokenIn is the token of a link.
func tokenIn(link string) string {
	_, token, _ := strings.Cut(link, "token=")
	token, _, _ = strings.Cut(token, "&")
	return token
}

// secretFile is a file that ada alone reads.
type secretFile struct{ address, link, content string }

// Callers without access to a file neither get its content nor change it: by its address,
// its variants, its links, its upload, or a row of their own.
func TestNoFileOfAnotherIsReached(t *testing.T) {
	each(t, func(w *world) {
		secrets, part := w.secrets()
		own := w.send(w.bob, "POST", "/api/v1/files?for=profile.avatar", snapshot(310, 200), "Content-Type", "image/jpeg").want(201).data()["url"].(string)
		ownLink := w.send(w.bob, "GET", own+"/link", "").want(200).data()["url"].(string)
		post := w.post(w.bob, "Open", true)
		comment := w.do(w.bob, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", post), `{"text":"See this."}`).want(201).data()["id"]

		random := rand.New(rand.NewPCG(7, 0))
		pick := func(all ...string) string { return all[random.IntN(len(all))] }
		for range *fileTries {
			s := secrets[random.IntN(len(secrets))]
			v := []*viewer.Viewer{w.nobody, w.bob, w.moderator}[random.IntN(3)]
			token, ownToken := tokenIn(s.link), tokenIn(ownLink)
			method, path, body, headers := "GET", pick(s.address, strings.Replace(s.address, "/api/", pick("/api/v1/", "/api/v2/", "/api/v3/"), 1)), "", []string{}
			switch random.IntN(9) {
			case 0:
				method, headers = pick("GET", "HEAD"), []string{"Range", pick("bytes=0-", "bytes=0-9", "bytes=-1")}
			case 1:
				path += "?variant=" + pick("small", "large", "", "original")
			case 2:
				path += "/link?seconds=60&variant=" + pick("small", "")
			case 3: // a link to another file, or one that was changed
				at := random.IntN(len(token))
				changed := token[:at] + pick("A", "B", "-", "") + token[at+1:]
				if changed == token {
					continue
				}
				path += "?token=" + pick(ownToken, changed, token[:len(token)-1], "")
			case 4:
				if !strings.Contains(s.link, "variant") {
					path += "?variant=small&token=" + token
				} else {
					path += pick("?", "?variant=large&") + "token=" + token
				}
			case 5:
				method = "DELETE"
			case 6:
				path, method = part, pick("GET", "HEAD", "DELETE", "PATCH", "PUT")
				if method == "GET" {
					path = pick(path, strings.TrimSuffix(path, "upload")+"parts")
				}
				if method == "PATCH" {
					body, headers = "more", []string{"Content-Type", "application/partial-upload", "Upload-Offset", "9", "Upload-Complete", pick("?0", "?1")}
				}
			case 7:
				method, path, body = "PATCH", fmt.Sprintf("/api/v1/users/%d/profile", w.bob.UserID), fmt.Sprintf(`{"avatar":%q}`, s.address)
			case 8:
				method, path, body = "POST", fmt.Sprintf("/api/v1/comments/%v/attachments", comment), fmt.Sprintf(`{"file":%q}`, s.address)
			}
			a := w.send(v, method, path, body, headers...)
			if a.Status < 400 || strings.Contains(a.Raw, s.content[:20]) {
				w.t.Fatalf("%s as user %d is answered %d: %.200s", a.asked, v.UserID, a.Status, a.Raw)
			}
		}
		for _, s := range secrets {
			if got := w.send(w.ada, "GET", s.address, "").want(200); got.Raw != s.content {
				w.t.Errorf("%s has other content", s.address)
			}
			w.send(w.nobody, "GET", s.link, "").want(200)
		}
		w.at(w.ada, part, 9, "?0")
	})
}

// secrets are files of ada's: one that no row has, a picture likewise, and an attachment of a
// comment on a draft. The last is the path of an upload that is not complete.
func (w *world) secrets() (all []secretFile, part string) {
	w.t.Helper()
	add := func(field, content, variant string) string {
		address := w.send(w.ada, "POST", "/api/v1/files?for="+field, content).want(201).data()["url"].(string)
		got := w.send(w.ada, "GET", address, "").want(200).Raw
		link := w.send(w.ada, "GET", address+"/link"+variant, "").want(200).data()["url"].(string)
		all = append(all, secretFile{address, link, got})
		return address
	}
	add("comment_attachment.file", strings.Repeat("a note of ada's that no row has. ", 10), "")
	add("profile.avatar", snapshot(300, 200), "?variant=small")
	attached := add("comment_attachment.file", strings.Repeat("a note of ada's on her draft. ", 10), "")
	draft := w.post(w.ada, "Draft", false)
	comment := w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", draft), `{"text":"To myself."}`).want(201).data()["id"]
	w.send(w.ada, "POST", fmt.Sprintf("/api/v1/comments/%v/attachments", comment), fmt.Sprintf(`{"file":%q}`, attached)).want(201)
	part = w.send(w.ada, "POST", "/api/v1/files?for=comment_attachment.file", "in parts:", "Upload-Complete", "?0").want(201).Header.Get("Location")
	return all, part
}
