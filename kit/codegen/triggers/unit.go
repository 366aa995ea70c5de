package triggers

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// unitIndex is made beside Ent's indexes: Ent knows no index of an expression.
func unitIndex(i model.UnitIndex) Object {
	return Object{Name: i.Name, Create: fmt.Sprintf("CREATE INDEX %q ON %q (%s)", i.Name, i.Table, strings.Join(i.Terms, ", "))}
}
