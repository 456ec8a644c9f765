/** A small drawn scene above the words of a page or a part of one that has nothing to show, has failed or is done. The words carry the meaning. */
export function Scene({ name, className = '' }: { name: SceneName; className?: string }) {
  return <img src={`/drawings/${name}.svg`} alt="" width="240" height="160" decoding="async" className={`max-w-full ${className}`} />
}

export type SceneName =
  | 'no-accounts'
  | 'no-orders'
  | 'no-products'
  | 'no-reviews'
  | 'nothing-found'
  | 'nothing-to-compare'
  | 'paid'
  | 'trouble'
