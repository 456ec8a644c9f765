/** An illustration above the text of an empty, failed or completed page or section. Decorative: the text carries the meaning. */
export function Illustration({ name, className = '' }: { name: IllustrationName; className?: string }) {
  return <img src={`/drawings/${name}.svg`} alt="" width="240" height="160" decoding="async" className={`max-w-full ${className}`} />
}

export type IllustrationName =
  | 'no-accounts'
  | 'no-orders'
  | 'no-products'
  | 'no-reviews'
  | 'nothing-found'
  | 'nothing-to-compare'
  | 'paid'
  | 'trouble'
