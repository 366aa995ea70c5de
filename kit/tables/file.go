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

// File is a file that was uploaded for a field: see expose.File. Triggers of the
// entity's table attach it to the row whose field has its address, and release it once
// that is over. A variant of a picture is a row, too, of an address that no row can have.
type File struct{ ent.Schema }

// Fields of the File.
func (File) Fields() []ent.Field {
	return []ent.Field{
		field.String("address").MaxLen(200).Unique().Immutable().
			Comment("The value of the row's field: the path from which the file is downloaded."),
		field.String("entity").MaxLen(200).Immutable().
			Comment("The entity for whose field it was uploaded."),
		field.String("field").MaxLen(200).Immutable().
			Comment("The field."),
		field.Int64("entity_id").Optional().Nillable().
			Comment("The id of the row, null while no row has had it."),
		field.String("entity_text").Optional().Nillable().
			Comment("The id of the row where it is a text or a UUID: entity_id is 0 then."),
		field.Int64("user_id").Optional().Nillable().Immutable().
			Comment("The user who uploaded it, null if that was no user."),
		field.Int64("api_key_id").Optional().Nillable().Immutable().
			Comment("The API key that uploaded it, null if that was none."),
		field.String("name").MaxLen(255).Immutable().
			Comment("The client's name of the file, without folders."),
		field.String("media_type").MaxLen(255).Immutable().
			Comment("What its content is."),
		field.Int("width").Optional().Nillable().Immutable().
			Comment("Its width in pixels, null for a file that is no picture."),
		field.Int("height").Optional().Nillable().Immutable().
			Comment("How many pixels high it is."),
		field.String("blur_hash").MaxLen(100).Optional().Nillable().Immutable().
			Comment("What stands for the picture until it is loaded, as BlurHash."),
		field.Int64("original_id").Optional().Nillable().Immutable().
			Comment("The picture that it is a variant of, null for an uploaded file."),
		field.String("variant").MaxLen(100).Optional().Nillable().Immutable().
			Comment("How the variant was made, null for an uploaded file."),
		field.Int64("blob_id").Immutable().
			Comment("The stored bytes."),
		field.Time("released_at").Optional().Nillable().
			Comment("Since when its row no longer has it, null while it does."),
		field.Time("scanned_at").Optional().Nillable().
			Comment("When a scanner has judged its content, null while none has."),
		field.Time("scan_at").Optional().Nillable().
			Comment("When it is scanned next, null for at once."),
		field.String("threat").MaxLen(200).Optional().Nillable().
			Comment("The threat that the scanner has found in its content, null for none."),
	}
}

// Mixin of the File.
func (File) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the File.
func (File) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("blob", Blob.Type).Ref("files").Field("blob_id").Unique().Required().Immutable(),
		edge.To("variants", File.Type).Annotations(entsql.OnDelete(entsql.Restrict)).
			From("original").Field("original_id").Unique().Immutable(),
	}
}

// Indexes of the File: those that can go are found without reading the others.
func (File) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("released_at").Annotations(entsql.IndexWhere("released_at IS NOT NULL")),
		index.Fields("created_at").Annotations(entsql.IndexWhere("entity_id IS NULL AND original_id IS NULL")),
		index.Fields("scanned_at", "created_at").Annotations(entsql.IndexWhere("scanned_at IS NULL AND original_id IS NULL")),
		index.Fields("original_id", "variant").Unique(),
		index.Fields("blob_id"),
	}
}

// Policy of the File.
func (File) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the File.
func (File) Annotations() []schema.Annotation {
	return []schema.Annotation{ours, schema.Comment("A file that was uploaded for a field.")}
}

// Blob is the stored bytes of files. Files of one owner with the same content share
// them; those of others never do.
type Blob struct{ ent.Schema }

// Fields of the Blob.
func (Blob) Fields() []ent.Field {
	return []ent.Field{
		field.String("owner").MaxLen(100).Immutable().
			Comment("Whose files share the bytes: a user or an API key."),
		field.String("sha256").MaxLen(64).Immutable().
			Comment("The SHA-256 sum of the bytes, in hexadecimal digits."),
		field.String("name").MaxLen(200).Unique().Immutable().
			Comment("Their key in the store: the sum, and a part that no other upload has."),
		field.Int64("size").Immutable().
			Comment("How many bytes there are."),
		field.Int64("tenant").Optional().Nillable().Immutable().
			Comment("The tenant among whose bytes they count, null for none."),
	}
}

// Mixin of the Blob.
func (Blob) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the Blob.
func (Blob) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("files", File.Type).Annotations(entsql.OnDelete(entsql.Restrict)),
	}
}

// Indexes of the Blob.
func (Blob) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("owner", "sha256").Unique(),
		index.Fields("tenant").Annotations(entsql.IndexWhere("tenant IS NOT NULL")),
	}
}

// Policy of the Blob.
func (Blob) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the Blob.
func (Blob) Annotations() []schema.Annotation {
	return []schema.Annotation{ours, schema.Comment("The stored bytes of files.")}
}
