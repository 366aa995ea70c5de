package door

import (
	"net/http"
	"strconv"
)

// Once is a member of an item that is shown this once: a secret. The answer
// must not be stored by caches. A repetition, which is answered from the row,
// does not have it.
type Once struct{ Name, Value string }

// ShowOnce adds the member to the item that the exchange is answered with.
func (x *Exchange) ShowOnce(o Once) { x.once = &o }

// reveal puts the member that is shown once at the end of the item.
func (x *Exchange) reveal(b *buffer) {
	if x.once == nil {
		return
	}
	const end = "}}" // the item's and the envelope's
	body := b.bytes[:len(b.bytes)-len(end)]
	if body[len(body)-1] != '{' {
		body = append(body, ',')
	}
	body = append(strconv.AppendQuote(body, x.once.Name), ':')
	b.bytes = append(strconv.AppendQuote(body, x.once.Value), end...)
}

// noStore is the Cache-Control of what is shown once.
var noStore = []string{"no-store"}

// keepsSecret forbids caches to store an answer with a secret, and reports
// whether it has one.
func (x *Exchange) keepsSecret(h http.Header) bool {
	if x.once == nil {
		return false
	}
	h["Cache-Control"] = noStore
	return true
}
