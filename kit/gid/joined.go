package gid

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// ViewSuffix ends the name of the view from which rows are read whose key is of several
// columns. The name of their table is before it.
const ViewSuffix = "_rows"

// Escapes stand in the id of a row whose key is of several columns for characters of a text
// that would end the value, or that no segment of a path has. The first is replaced first,
// so that ids are as distinct as keys are.
var Escapes = [][2]string{{"!", "!0"}, {"~", "!1"}, {"/", "!2"}, {",", "!3"}, {`\`, "!4"}}

// Joined is the id of a row whose key is of several columns: the values with ~ between
// them, as the view of the rows has it.
func Joined(values ...any) ID {
	parts := make([]string, len(values))
	for i, value := range values {
		switch v := value.(type) {
		case string:
			for _, e := range Escapes {
				v = strings.ReplaceAll(v, e[0], e[1])
			}
			parts[i] = v
		case uuid.UUID:
			parts[i] = v.String()
		default:
			parts[i] = fmt.Sprint(v)
		}
	}
	return Text(strings.Join(parts, "~"))
}
