package account_test

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/entwine-go/entwine/internal/account"
)

func seedText(seed byte) string {
	return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{seed}, 32))
}

func keys(t *testing.T) *account.Keys {
	t.Helper()
	k, err := account.NewKeys([]string{seed1})
	if err != nil {
		t.Fatal(err)
	}
	return k
}
