// A page that uploads by Uppy to a service of another origin.
import Uppy from "@uppy/core";
import Tus from "@uppy/tus";
import XHRUpload from "@uppy/xhr-upload";

const ways = {
  tus: (uppy, options) => uppy.use(Tus, { retryDelays: [0, 10, 10, 10], ...options }),
  form: (uppy, options) => uppy.use(XHRUpload, { fieldName: "file", getResponseData: (request) => JSON.parse(request.responseText).data, ...options }),
};

/** Uploads a text by tus or in a form, pauses once if it should, and returns what became of it. */
globalThis.send = async ({ way, text, type = "text/plain", pauses, endpoint, token, ...options }) => {
  const uppy = new Uppy();
  ways[way](uppy, { endpoint, headers: { Authorization: `Bearer ${token}` }, ...options });
  const id = uppy.addFile({ name: "lines.txt", type, data: new Blob([text], { type }) });
  const seen = { progress: 0, paused: 0, said: "" };
  uppy.on("upload-progress", (file, { bytesUploaded }) => {
    seen.progress = Math.max(seen.progress, bytesUploaded);
    if (pauses && bytesUploaded > 0 && seen.paused++ === 0) {
      uppy.pauseResume(id);
      seen.stopped = uppy.getFile(id).isPaused;
      setTimeout(() => uppy.pauseResume(id));
    }
  });
  uppy.on("upload-error", (file, error, response) => (seen.said = `${response?.status} ${error.message} ${response?.responseText ?? JSON.stringify(response?.body) ?? ""}`));
  const { successful, failed } = await uppy.upload();
  return { ...seen, failed: failed.length, address: successful[0]?.response.uploadURL };
};
