/** Whether an image of a product is its drawing from its attributes, not a picture of it or the drawing of its kind. */
export const isPartDrawing = (img: string): boolean => img.startsWith('/drawings/') && img.includes('?v=')

/** The address of the drawing of a product as `GET /drawings/{id}.svg` can be asked for it: `size=large&beside=coin`. Other images are as they are. */
export const drawingUrl = (img: string, query: string): string => (query && isPartDrawing(img) ? `${img}&${query}` : img)
