package handler

import (
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/write"
)

// Names are GraphQL's: fields in camelCase, below the argument input, and
// global ids. Flat are the same where the fields are arguments themselves.
var (
	Names = names("input.")
	Flat  = names("")
)

func names(prefix string) *write.API {
	return &write.API{
		Field:   func(f *entity.Field) string { return f.GraphQL[0] },
		Key:     func(f *write.Field) string { return camel(f.Key) },
		Word:    camel,
		Prefix:  prefix,
		ParseID: parseID,
		ShowID:  func(entity string, id gid.ID) any { return id.Global(entity) },
	}
}

// parseID reads a global id, or an integer: that ids are positive is a rule about
// what is an id by its form.
func parseID(of gid.Rows, value any) (gid.ID, error) {
	id, err := of.Unmarshal(value)
	if err == nil || of.Form != gid.Numbers {
		return id, err
	}
	if n, bad := write.PlainID(of, value); bad == nil && n.Int() < 1 {
		return n, nil
	}
	if text, ok := value.(string); ok {
		if n, bad := strconv.ParseInt(text, 10, 64); bad == nil && n < 1 && strconv.FormatInt(n, 10) == text {
			return gid.Int(n), nil
		}
	}
	return gid.ID{}, err
}

// camel is a snake_case name in camelCase.
func camel(name string) string {
	words := strings.Split(name, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
