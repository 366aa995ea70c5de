package moved

// Paths are former paths below kit, and those of now.
func Paths() map[string]string { return paths }
