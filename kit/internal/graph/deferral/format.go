package deferral

import (
	"mime"
	"strconv"
	"strings"
)

// Format is how a response in parts is written. Clients name it in Accept.
type Format uint8

const (
	// Whole is a response that is not in parts.
	Whole Format = iota
	// Paths is that of the draft of 2022-08-24, deferSpec=20220824: each part
	// says by its path where it belongs.
	Paths
	// Pending is that of https://specs.apollo.dev/incremental/v0.2,
	// incrementalSpec=v0.2, which graphql-js 17 writes: what is to come is
	// announced under an id, and completed.
	Pending
)

// parameters are the names of the formats in media types.
var parameters = map[Format]struct{ name, value string }{
	Paths:   {"deferSpec", "20220824"},
	Pending: {"incrementalSpec", "v0.2"},
}

// String is the format as a parameter of a media type.
func (f Format) String() string {
	p := parameters[f]
	return p.name + "=" + p.value
}

// Accepted returns the format that an Accept header asks for, for one of the
// media types: the one with the higher quality, and of those the first. It is
// [Whole] where none is named, because a client that expects one of the two can't
// recognize the other.
func Accepted(accept []string, types ...string) Format {
	best, format := 0.0, Whole
	for media := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, params, err := mime.ParseMediaType(media)
		if err != nil {
			continue
		}
		quality := qualityOf(params["q"])
		for _, t := range types {
			if f := named(params); name == t && f != Whole && quality > best {
				best, format = quality, f
			}
		}
	}
	return format
}

// named is the format that a media type's parameters name.
func named(params map[string]string) Format {
	for _, f := range []Format{Paths, Pending} {
		if p := parameters[f]; params[strings.ToLower(p.name)] == p.value {
			return f
		}
	}
	return Whole
}

func qualityOf(text string) float64 {
	if text == "" {
		return 1
	}
	q, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return q
}
