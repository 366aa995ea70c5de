// Package negotiate finds the representation that a client asks for, and turns an
// answer of REST, which is made as JSON, into it.
//
// It owns the reading of Accept, how JSON looks as XML and a list as CSV. It
// stands with REST and not with the edge around both APIs, because GraphQL is
// JSON alone, and because what an operation can answer with is in the document
// of REST. Bodies are converted byte by byte: no value is ever decoded whole.
package negotiate

// The media types that JSON can be turned into, and those beside it.
const (
	JSON    = "application/json"
	XML     = "application/xml"
	CSV     = "text/csv"
	Problem = "application/problem+json"
	// NDJSON is a list whose items are JSON, each in a line of its own.
	NDJSON = "application/x-ndjson"

	// Events is the media type of a live list.
	Events = "text/event-stream"

	// BareCSV is CSV without its header row, which RFC 4180 has a parameter for.
	BareCSV = "text/csv; header=absent"
)

// IsCSV reports whether the media type is CSV, with a header row or without.
func IsCSV(media string) bool { return media == CSV || media == BareCSV }

// Extension is that of a list as a file, empty where it is no file.
func Extension(media string) string {
	switch {
	case IsCSV(media):
		return ".csv"
	case media == NDJSON:
		return ".ndjson"
	}
	return ""
}

// Converts reports whether a JSON body has to be turned into the media type.
func Converts(media string) bool { return media == XML || IsCSV(media) || media == NDJSON }

// ContentType is the header for the media type.
func ContentType(media string) string {
	switch media {
	case XML:
		return "application/xml; charset=utf-8"
	case CSV:
		return "text/csv; charset=utf-8; header=present"
	case BareCSV:
		return "text/csv; charset=utf-8; header=absent"
	}
	return media
}

// Append appends the JSON body as the media type. Columns are those of a CSV,
// nil where they are to be found in the body.
func Append(dst []byte, media string, body []byte, columns []string) []byte {
	switch media {
	case XML:
		return AppendXML(dst, body)
	case CSV:
		return AppendCSV(dst, body, columns, true)
	case BareCSV:
		return AppendCSV(dst, body, columns, false)
	case NDJSON:
		return AppendNDJSON(dst, body)
	}
	return append(dst, body...)
}
