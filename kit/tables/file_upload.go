package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/policy"
)

// FileUpload is a file that arrives in several requests. Once it is whole it becomes a
// [File] with the address that ends in its key.
type FileUpload struct{ ent.Schema }

// Fields of the FileUpload.
func (FileUpload) Fields() []ent.Field {
	return []ent.Field{
		field.String("key").MaxLen(200).Unique().Immutable().
			Comment("What addresses call the upload, and the file that it becomes."),
		field.String("owner").MaxLen(100).Immutable().
			Comment("Whose upload it is: a user or an API key."),
		field.String("entity").MaxLen(200).Immutable().
			Comment("The entity for whose field it is."),
		field.String("field").MaxLen(200).Immutable().
			Comment("The field."),
		field.String("name").MaxLen(255).Immutable().
			Comment("What the client calls the file, without folders."),
		field.String("sha256").MaxLen(64).Optional().Nillable().Immutable().
			Comment("The SHA-256 sum that the client says the file has, null where it says none."),
		field.Int64("length").Optional().Nillable().
			Comment("How many bytes the file has, null while the client has not said it."),
		field.Int64("received").Default(0).
			Comment("How many bytes have arrived and are stored."),
		field.Int("parts").Default(0).
			Comment("In how many parts they are stored."),
		field.Bool("complete").Default(false).
			Comment("Whether it has become a file."),
		field.Int64("tenant").Optional().Nillable().Immutable().
			Comment("The tenant among whose bytes it counts, null for none."),
		field.Time("expires_at").
			Comment("When it goes, if nothing more arrives."),
	}
}

// Mixin of the FileUpload.
func (FileUpload) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the FileUpload.
func (FileUpload) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("stored_parts", FilePart.Type).Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

// Indexes of the FileUpload.
func (FileUpload) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("expires_at"),
		index.Fields("owner"),
	}
}

// Policy of the FileUpload.
func (FileUpload) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the FileUpload.
func (FileUpload) Annotations() []schema.Annotation {
	return []schema.Annotation{ours, schema.Comment("A file that arrives in several requests.")}
}

// FilePart is stored bytes of a [FileUpload]. Its row is there before its bytes are, and
// goes after them, so that no bytes are without a row.
type FilePart struct{ ent.Schema }

// Fields of the FilePart.
func (FilePart) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("upload_id").Optional().Nillable().
			Comment("The upload, null while the part is not stored yet, and once it can go."),
		field.Int64("position").Optional().Nillable().
			Comment("How many bytes of the file come before it."),
		field.Int64("size").Immutable().
			Comment("How many bytes it has."),
		field.String("name").MaxLen(200).Unique().Immutable().
			Comment("The media type that is stored."),
		field.Time("released_at").Optional().Nillable().
			Comment("When it can go, null while its upload needs it."),
	}
}

// Mixin of the FilePart.
func (FilePart) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the FilePart.
func (FilePart) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("upload", FileUpload.Type).Ref("stored_parts").Field("upload_id").Unique(),
	}
}

// Indexes of the FilePart.
func (FilePart) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("upload_id", "position").Unique(),
		index.Fields("released_at").Annotations(entsql.IndexWhere("released_at IS NOT NULL")),
	}
}

// Policy of the FilePart.
func (FilePart) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the FilePart.
func (FilePart) Annotations() []schema.Annotation {
	return []schema.Annotation{ours, schema.Comment("Stored bytes of a file that arrives in several requests.")}
}
