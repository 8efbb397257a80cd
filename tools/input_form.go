package tools

import (
	"encoding/json"
	"fmt"
	"math"
)

func (f Field) readTexts(raw json.RawMessage) (any, error) {
	var items []*string // null in a list is no string
	if json.Unmarshal(raw, &items) != nil {
		return nil, f.must("an array of strings")
	}
	texts := make([]string, len(items))
	for i, item := range items {
		if item == nil {
			return nil, f.must("an array of strings")
		}
		texts[i] = *item
	}
	return texts, nil
}

func (f Field) readKey(raw json.RawMessage) (any, error) {
	var s string
	if json.Unmarshal(raw, &s) != nil || !isKey(s) {
		return nil, f.must(fmt.Sprintf("one line of at most %d bytes", maxKey))
	}
	return s, nil
}

func (f Field) readPairs(raw json.RawMessage) (any, error) {
	var items map[string]*string // null is no string
	if json.Unmarshal(raw, &items) != nil {
		return nil, f.must("an object of strings")
	}
	pairs := make(map[string]string, len(items))
	for key, item := range items {
		if item == nil {
			return nil, f.must("an object of strings")
		}
		pairs[key] = *item
	}
	return pairs, nil
}

func (f Field) readCount(raw json.RawMessage) (any, error) {
	var n float64 // 50.0 is a whole number too
	if json.Unmarshal(raw, &n) != nil || n < 1 || n != math.Trunc(n) {
		return nil, f.must("a whole number from 1")
	}
	return int(min(n, math.MaxInt32)), nil
}
