// Judges a schema, and documents against it, as graphql-js does: prints a line of
// JSON for each document, a list of what is wrong with it.
//
//   node validate.mjs SCHEMA DOCUMENTS
import { readFileSync } from 'node:fs';
import {
  assertValidSchema, buildClientSchema, buildSchema, introspectionFromSchema, lexicographicSortSchema, parse, printSchema, validate,
} from 'graphql';

const [file, documents] = process.argv.slice(2);
const schema = buildSchema(readFileSync(file, 'utf8'));
assertValidSchema(schema);
const again = buildClientSchema(introspectionFromSchema(schema));
if (printSchema(lexicographicSortSchema(again)) !== printSchema(lexicographicSortSchema(schema))) {
  throw new Error('the schema changes by introspection');
}
for (const document of JSON.parse(readFileSync(documents, 'utf8'))) {
  let errors;
  try {
    errors = validate(schema, parse(document));
  } catch (error) {
    errors = [error];
  }
  console.log(JSON.stringify(errors.map(({ message }) => message)));
}
