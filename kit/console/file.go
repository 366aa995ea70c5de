package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"html/template"
	"io"
	"mime"
	"path"
	"strings"
	"sync"
)

// assets is where the files of the page are, below [Path]. A file's name there has a
// digest of its bytes, so that browsers keep it for as long as they like.
const assets = "/assets/"

// file is the file of a path.
type file struct {
	media, cache, tag string
	plain, gzip       []byte
}

// built is the console of one service.
type built struct {
	shown   Page
	files   map[string]*file
	script  string
	style   string
	notices string
}

// site returns what loads the files when the first request asks: few processes need
// them.
func site(p Page) func() *built {
	return sync.OnceValue(func() *built {
		b := &built{shown: p, files: map[string]*file{}}
		b.script, b.style, b.notices = b.keep("console.js"), b.keep("console.css"), b.keep("notices.txt")
		return b
	})
}

// keep reads a file of the program and returns its name with the digest.
func (b *built) keep(name string) string {
	text := read("dist/" + name + ".gz")
	f := &file{media: mime.TypeByExtension(path.Ext(name)), cache: "public, max-age=31536000, immutable", plain: plain(text), gzip: text}
	f.mark()
	extension := path.Ext(name)
	hashed := strings.TrimSuffix(name, extension) + "-" + strings.Trim(f.tag, `"`) + extension
	b.files[hashed] = f
	return hashed
}

// page is the document at a path of the console. It names its files relative to the
// path, so that they are found below whatever a proxy serves the service at.
func (b *built) page(at string) *file {
	up := strings.Repeat("../", strings.Count(at, "/")-1)
	var text bytes.Buffer
	err := document().Execute(&text, struct {
		Page
		Root, Assets, Script, Style, Notices string
	}{b.shown, up, up + strings.TrimPrefix(Path+assets, "/"), b.script, b.style, b.notices})
	if err != nil {
		panic(err) // the template is another one's
	}
	f := &file{media: "text/html; charset=utf-8", cache: "no-cache", plain: text.Bytes()}
	f.mark()
	return f
}

// document is the template of the page. It panics where the program has another one.
var document = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(string(read("page.html"))))
})

func (f *file) mark() {
	sum := sha256.Sum256(f.plain)
	f.tag = `"` + hex.EncodeToString(sum[:8]) + `"`
}

// plain is the text of a file of the program, for clients that take no compressed one. It panics
// where the program has another one.
func plain(compressed []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return text
}

// read returns a file of the program. It panics where there is none.
func read(name string) []byte {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return text
}
