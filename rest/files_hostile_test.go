package rest_test

import (
	"fmt"
	"mime"
	"net/url"
	"strings"
	"testing"
)

// Contents that a browser would run, or that are two formats at once. Each is taken by a field
// of any type, and none may run on the API's origin.
var hostileContents = []string{
	"<html><script>alert(1)</script></html>",
	"<!DOCTYPE html><img src=x onerror=alert(1)>",
	"  \n\t<script>alert(1)</script>",
	"\xEF\xBB\xBF<html><script>alert(1)</script>",
	"\xFF\xFE<\x00s\x00c\x00r\x00i\x00p\x00t\x00>\x00",
	"+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
	`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`,
	`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`,
	`<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#x"?><x><script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script></x>`,
	`<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>`,
	"%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj",
	"GIF89a/*\x01\x00\x01\x00*/=1;alert(1);<script>alert(1)</script>",
	"\x89PNG\r\n\x1a\n<html><script>alert(1)</script>",
	"\xFF\xD8\xFF\xE0<script>alert(1)</script>",
	"RIFF\x10\x00\x00\x00WEBP<script>alert(1)</script>",
	"BM<script>alert(1)</script>",
	"PK\x03\x04../../etc/passwd<script>alert(1)</script>",
	"From: x\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<script>alert(1)</script>",
	"alert(1)//",
	"#!/bin/sh\nrm -rf /",
}

// Names that lead elsewhere, end a header, or are shown as another one.
var hostileNames = []string{
	"../../etc/passwd", `..\..\windows\win.ini`, "/etc/passwd", `C:\boot.ini`, "a.html", "a.svg", "a.png.html", "a.html\x00.png",
	"a\r\nSet-Cookie: x=1", "a\nX: y", `a"; filename="b.html`, "a;b=c", "\u202Egnp.exe", "..", ".", " ", "%2e%2e%2fa", "ä\u0301\U0001F600", strings.Repeat("n", 255), "CON",
}

// Of 400 files none is shown as a page, or has a name that leads elsewhere: whatever it
// is, it is kept, or shown as the picture that its first bytes say.
func TestHostileFilesRunNowhere(t *testing.T) {
	each(t, func(w *world) {
		for i, content := range hostileContents {
			for _, name := range hostileNames {
				says := fmt.Sprintf("content %d as %q", i, name)
				a := w.send(w.ada, "POST", "/api/v1/files?for=comment_attachment.file&name="+url.QueryEscape(name), content, "Content-Type", "text/html")
				if a.Status != 201 {
					w.t.Fatalf("%s is answered %d: %s", says, a.Status, a.Raw)
				}
				got := w.send(w.ada, "GET", a.data()["url"].(string), "").want(200)
				h := got.Header
				kind, params, err := mime.ParseMediaType(h.Get("Content-Disposition"))
				if stored := params["filename"]; err != nil || strings.ContainsAny(stored, "/\\\r\n\x00\u202e") || strings.Trim(stored, ". ") == "" {
					w.t.Errorf("%s is called %q: %q (%v)", says, stored, h.Get("Content-Disposition"), err)
				}
				media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
				if kind != "attachment" && !(strings.HasPrefix(media, "image/") && media != "image/svg+xml") {
					w.t.Errorf("%s is shown as %s, %s", says, media, kind)
				}
				if h.Get("Content-Security-Policy") != "default-src 'none'; style-src 'unsafe-inline'; sandbox" || len(h["Set-Cookie"]) > 0 || h.Get("X") != "" {
					w.t.Errorf("%s is answered with %v", says, h)
				}
				// A field that takes pictures takes none of them.
				if name == "a.html" {
					if a := w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", content); a.Status != 415 && a.Status != 422 {
						w.t.Errorf("content %d is answered %d for a picture: %s", i, a.Status, a.Raw)
					}
				}
			}
		}
	})
}
