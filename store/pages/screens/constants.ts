/** What the home page shows of the catalogue, by place in it. */
export const firstTools = 6
export const hotProducts = { from: 10, to: 100 }

/** The business in figures, as the owner states them. */
export const business = [
  { figure: '102K+', of: 'products sold' },
  { figure: '120+', of: 'export countries' },
  { figure: '151+', of: 'satisfied clients' },
]
