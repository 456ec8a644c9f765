/**
 * The bytes of a rendered page by its response, which has no body: a `Response` would copy them when it is made and again when it is read,
 * which takes as long as a third of rendering the page.
 */
export const pageBytes = new WeakMap<Response, Uint8Array<ArrayBuffer>>()
