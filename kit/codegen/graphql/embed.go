package graphql

import (
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

var embedFile = template.Must(template.New("embed").Parse(`{{ .Header }}

package generated

import "embed"

// Documents are the schema: as it follows from schema/{{ if .ByHand }}, and what is by hand{{ end }}.
//
//go:embed *.graphql{{ if .ByHand }} byhand/*.graphql{{ end }}
var Documents embed.FS
`))

// writeEmbed has gql/generated carry its documents.
func (g *Schema) writeEmbed(folder *source.Folder) error {
	return folder.WriteGo("embed.go", embedFile, source.Data{"ByHand": len(g.hand) > 0})
}
