/** Whether an image of a product is its drawing from its attributes, not a picture of it or the drawing of its kind. */
export const isPartDrawing = (img: string): boolean => img.startsWith('/drawings/') && img.includes('?v=')
