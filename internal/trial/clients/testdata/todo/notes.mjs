// How the rows of a screen are noted: as the test notes those of the database.

/** The list that all follow. */
export const asked = { fields: ["id", "title", "published", "version"], sort: "created_at", limit: 100 };

export const text = (rows) => JSON.stringify(rows.map((row) => [Number(row.id), row.title, row.published, row.version]));
