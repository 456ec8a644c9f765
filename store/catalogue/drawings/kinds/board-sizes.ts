/** mm: from the edge with the outputs, and along it. */
export const boardSizes: Record<string, readonly [width: number, height: number]> = {
  ATX: [244, 305],
  'Micro ATX': [244, 244],
  'Mini-ITX': [170, 170],
  'Thin Mini-ITX': [170, 170],
  'Mini DTX': [170, 203],
  'Flex ATX': [191, 229],
  EATX: [330, 305],
  'XL ATX': [262, 345],
  'SSI CEB': [267, 305],
  'SSI EEB': [330, 305],
  HPTX: [381, 345],
}
