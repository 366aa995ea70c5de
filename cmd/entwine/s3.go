//go:build s3

package main

import _ "github.com/entwine-go/entwine/kit/files/s3" // go build -tags s3: files in an object store
