package files

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Store is where the bytes of files are: one place that all processes of a service see.
// [Folder] is one. Others register themselves ([Register]) in packages that a service imports.
//
// Keys are relative paths of small letters, digits, dots and slashes. The content of a key
// never changes. Every error that is not a missing object means that the store can't be used
// now. Methods can be called at once from several goroutines.
type Store interface {
	// Put stores what a file in the Spool holds, and nothing where content is nil. It
	// returns once that outlasts a crash. The file may have lost its name then.
	Put(ctx context.Context, key string, content *os.File) error
	// Open reads length bytes from offset on, to the end where length is below 0. The
	// caller closes the content. The error is fs.ErrNotExist where the key holds nothing.
	Open(ctx context.Context, key string, offset, length int64) (*Content, error)
	// Remove removes what the key holds. A key that holds nothing is no error.
	Remove(ctx context.Context, key string) error
	// Each calls do with what is below a folder, in the order of the keys.
	Each(ctx context.Context, folder string, do func(Object) error) error
	// Tidy removes what was about to be Put before the time, by processes that were killed.
	Tidy(ctx context.Context, before time.Time) error
	// Spool is the folder on the disk of this process for what is about to be Put.
	Spool() string
	// String is how messages call the store: without credentials.
	String() string
}

// Joiner is a [Store] that makes one object of several which it has, without their bytes
// passing through this process.
type Joiner interface {
	// Join stores what the parts hold, one after the other, and after them what a file in the
	// Spool holds where it is not nil, as [Store.Put] does. The parts stay until they are
	// removed. The error is fs.ErrNotExist where one is not there, and errors.ErrUnsupported where
	// these can't be joined: the caller then stores a copy.
	Join(ctx context.Context, key string, parts []Object, tail *os.File) error
}

// Signer is a [Store] to which clients send parts of uploads by themselves.
type Signer interface {
	// Origin is where clients reach the store, such as "https://s3.example.com". Empty: they don't.
	Origin() string
	// Sign returns an address at which PUT stores a body of so many bytes under the key, by a
	// client without credentials, for so long. Until then it can be done again.
	Sign(ctx context.Context, key string, size int64, life time.Duration) (string, error)
}

// Content is an object that is read.
type Content struct {
	io.ReadCloser
	// Size is how many bytes the whole object has.
	Size int64
}

// Object is the content of a key of a store.
type Object struct {
	Key string
	// Size is how many bytes it has, and Since when it was stored.
	Size  int64
	Since time.Time
}

// Opener opens the store at an address, and fails where it can't be used. Drafts are in
// the folder spool.
type Opener func(ctx context.Context, address *url.URL, spool string) (Store, error)

var openers = map[string]Opener{}

// Register has addresses with the scheme opened. Packages of stores call it in init.
func Register(scheme string, open Opener) { openers[scheme] = open }

// OpenStore opens the store at an address: a folder, as a path or as file:///path, or
// whatever else is registered.
func OpenStore(ctx context.Context, address, spool string) (Store, error) {
	scheme, _, found := strings.Cut(address, "://")
	if !found {
		return &Folder{Path: address}, nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("the address of a store: %w", err)
	}
	if scheme == "file" {
		if u.Host != "" || u.Path == "" {
			return nil, fmt.Errorf("the address of a folder has three slashes, as in file:///srv/files: %s", address)
		}
		return &Folder{Path: filepath.FromSlash(u.Path)}, nil
	}
	open := openers[scheme]
	if open == nil {
		return nil, fmt.Errorf("stores of %s:// are not linked into this program: import _ %q in the package main, and build it again", scheme, storePackage+scheme)
	}
	return open(ctx, u, spool)
}

// storePackage is where the stores of the kit are.
const storePackage = "github.com/entwine-go/entwine/kit/files/"
