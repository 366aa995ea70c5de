// Uploads a picture by the client of tus, which is cut off, breaks off and goes on: node upload.mjs URL
import { Upload } from "tus-js-client";
import { deflateSync, crc32 } from "node:zlib";
import { randomBytes } from "node:crypto";
import { Buffer } from "node:buffer";

const url = process.argv[2];

/** A PNG of random pixels. */
function picture(side) {
  const chunk = (type, data) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length);
    ends.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  header[8] = 8; // bits of a grey pixel
  const rows = randomBytes(side * (side + 1));
  for (let y = 0; y < side; y++) rows[y * (side + 1)] = 0; // no filter
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

const signUp = await fetch(url + "/api/v1/auth/register", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ name: "Ada Lovelace", email: "ada@tus.example.com", password: "correct horse 1" }),
});
const { token } = await signUp.json();
const headers = { Authorization: `Bearer ${token}` };
const content = picture(600);

/** Uploads from where the upload is, until so many bytes have gone, or to the end. */
function upload(options, until = Infinity) {
  return new Promise((resolve, reject) => {
    const one = new Upload(content, {
      endpoint: url + "/api/v1/files?for=profile.avatar",
      headers, chunkSize: 50_000, retryDelays: [0, 10], metadata: { filename: "ada.png", filetype: "image/png" },
      onError: reject,
      onSuccess: ({ lastResponse }) => resolve({ one, lastResponse }),
      onChunkComplete: (_, sent) => {
        if (sent >= until) one.abort().then(() => resolve({ one }), reject);
      },
      ...options,
    });
    one.start();
  });
}

const { one: begun } = await upload({}, 100_000);
const refused = await fetch(begun.url, { method: "HEAD", headers: { "Tus-Resumable": "1.0.0" } });
const { lastResponse } = await upload({ uploadUrl: begun.url });
const address = new URL(lastResponse.getHeader("Location"), url);
const got = Buffer.from(await (await fetch(address, { headers })).arrayBuffer());

// One whose length is not known, one that is sent with its creation, and one that is ended.
await upload({ uploadDataDuringCreation: true });
await upload({ uploadLengthDeferred: true });
const { one: ended } = await upload({}, 50_000);
await ended.abort(true);
const gone = await fetch(ended.url, { method: "HEAD", headers: { ...headers, "Tus-Resumable": "1.0.0" } });

// Parts of one file that are sent at a time are refused before any of them is.
const parallel = await upload({ parallelUploads: 2 }).then(() => "", (err) => err.originalResponse?.getBody() ?? String(err));

console.log(JSON.stringify([refused.status, got.equals(content), gone.status, parallel.includes("Upload-Concat")]));
