package orm

import (
	"bytes"
	"fmt"
	"os"
	"regexp"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// joined are the places where Ent's client begins and commits a transaction, and puts
// it into a context: what Ent writes, and what it calls of client_transaction.go
// instead. Ent's own mutations begin transactions by the same method of the driver, so
// that the driver can't tell which one is a client's.
var joined = []struct{ file, ents, ours string }{
	{"ent/tx.go", "tx, err := drv.Tx(ctx)", "tx, err := begin(ctx, drv)"},
	{"ent/tx.go", "return fn.Commit(tx.ctx, tx)", "return commit(txDriver.tx, func() error { return fn.Commit(tx.ctx, tx) })"},
	{"ent/ent.go", "return context.WithValue(parent, txCtxKey{}, tx)", "return context.WithValue(within(parent, tx), txCtxKey{}, tx)"},
}

// writeTransactions has transactions of Ent's client join the context's.
func writeTransactions(tree *source.Tree) error {
	for _, j := range joined {
		text, err := os.ReadFile(tree.Path(j.file))
		if err != nil {
			return err
		}
		if bytes.Count(text, []byte(j.ents)) != 1 {
			return fmt.Errorf("%s: %q is not where Ent had it", j.file, j.ents)
		}
		if err := os.WriteFile(tree.Path(j.file), bytes.Replace(text, []byte(j.ents), []byte(j.ours), 1), 0o644); err != nil {
			return err
		}
	}
	return writeInterceptors(tree)
}

var intercepts = regexp.MustCompile(`(?m)^(func \(c \*\w+Client\) Intercept\(interceptors \.\.\.Interceptor\) \{\n)(\tc\.inters)`)

// writeInterceptors has the client that the APIs share refuse interceptors.
func writeInterceptors(tree *source.Tree) error {
	const file = "ent/client.go"
	text, err := os.ReadFile(tree.Path(file))
	if err != nil {
		return err
	}
	if !intercepts.Match(text) {
		return fmt.Errorf("%s: Intercept is not where Ent had it", file)
	}
	return os.WriteFile(tree.Path(file), intercepts.ReplaceAll(text, []byte("${1}\tc.unintercepted()\n${2}")), 0o644)
}
