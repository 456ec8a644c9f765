import { lazy, Suspense, useState } from 'react'
import { useHydrated } from '#web/use-hydrated.ts'
import type { ProductReviewsProps } from './product-reviews.tsx'

const loadReviews = async () => ({ default: (await import('./product-reviews.tsx')).ProductReviews })
const LazyReviews = lazy(loadReviews)
/** Not lazy, as what the server renders lazily has a boundary, which React would hydrate. */
const ReviewsOnServer = import.meta.env.SSR ? (await loadReviews()).default : undefined

/**
 * The reviews on the page of a product. What the server has rendered stays in the page as it is, since all of it are links: `__html` is not
 * applied to HTML of the server. So a page that is opened loads no script for it; one that follows a click does.
 */
export function ReviewsSection(props: ProductReviewsProps) {
  const isHydrated = useHydrated()
  const [fromServer] = useState(isHydrated ? undefined : props.reviews)
  if (ReviewsOnServer)
    return (
      <div>
        <ReviewsOnServer {...props} />
      </div>
    )
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it is empty
  if (fromServer === props.reviews) return <div dangerouslySetInnerHTML={{ __html: '' }} suppressHydrationWarning />
  return (
    <Suspense>
      <LazyReviews {...props} />
    </Suspense>
  )
}
