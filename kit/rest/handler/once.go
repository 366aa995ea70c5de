package handler

import (
	"net/http"
	"strconv"
)

// Once is a member of an item that is shown this once: a secret. The answer
// must not be stored by caches. A repetition, which is answered from the row,
// does not have it.
type Once struct{ Name, Value string }

// reveal puts the members that are shown once at the end of the item.
func (x *Exchange) reveal(b *buffer) {
	if len(x.once) == 0 {
		return
	}
	end := "}" + x.Version.EndItem()
	body := b.bytes[:len(b.bytes)-len(end)]
	for _, one := range x.once {
		if body[len(body)-1] != '{' {
			body = append(body, ',')
		}
		body = append(strconv.AppendQuote(body, x.Version.Word(one.Name)), ':')
		body = strconv.AppendQuote(body, one.Value)
	}
	body = append(body, end...)
	b.bytes = body
}

// NoStore is the Cache of an [Answer] that no one keeps, such as one with an address that needs no
// credentials.
const NoStore = "no-store"

var noStore = []string{NoStore}

// keepsSecret forbids caches to store an answer with a secret, and reports
// whether it has one.
func (x *Exchange) keepsSecret(h http.Header) bool {
	if len(x.once) == 0 {
		return false
	}
	h["Cache-Control"] = noStore
	return true
}
