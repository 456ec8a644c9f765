import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import type { Profile } from '#store/profiles/contract.ts'
import { ownProfile } from '#store/profiles/screens/own-profile.ts'
import { PicturePreview } from '#store/profiles/screens/picture-preview.tsx'
import { NewReview, type OwnReview, type PostedReview, postReview, showOwnReview } from '#store/reviews/contract.ts'
import { account } from '#web/account.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { useCheckedForm } from '#web/checked-form.ts'
import { forgetDraft, keptDraft, useDraft } from '#web/draft.ts'
import { Field } from '#web/field.tsx'
import { focused } from '#web/focused.ts'
import { useScript } from '#web/form.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { useSettled } from '#web/settled.ts'
import { toast } from '#web/toast.tsx'
import type { Route } from './+types/add-review'
import { asTyped, RatingField } from './rating-field.tsx'
import { ReviewCard } from './review-card.tsx'

export type Typed = z.input<typeof NewReview>
export type Read = z.output<typeof NewReview>
type Reviewer = { profile: Profile; own: OwnReview | null }

export const meta: Route.MetaFunction = () => [{ title: 'Post Review | Nucleus of PC' }]

export const clientLoader = async () => ({ reviewer: account.get()?.admin ? undefined : await askForReviewer() })

async function askForReviewer(): Promise<Reviewer> {
  const [profile, { review }] = await Promise.all([ownProfile(), send(showOwnReview, {})])
  return { profile, own: review }
}

export default function AddReview({ loaderData: { reviewer } }: Route.ComponentProps) {
  const [posted, setPosted] = useState<PostedReview>()
  if (!reviewer) return <ForCustomers />
  return (
    <Page
      title="Please Post Your Review Here Below"
      lead={reviewer.own?.hidden ? undefined : 'What you post stands on the home page for everybody.'}
      wide
    >
      {posted ? <Posted review={posted} /> : <ReviewForm {...reviewer} onPosted={setPosted} />}
    </Page>
  )
}

function ForCustomers() {
  return (
    <Page title="Reviews are for customers">
      <p>You are signed in as an admin, and what a store says of itself is no review.</p>
      <ButtonLink to="/#reviews" look="quiet" className="self-start">
        Read the reviews
      </ButtonLink>
    </Page>
  )
}

function ReviewForm({ profile, own, onPosted }: Reviewer & { onPosted: (review: PostedReview) => void }) {
  const script = useScript()
  const [refused, setRefused] = useState<Refusal>()
  const outcomeUnknown = useRef(false)
  const draft = `review ${profile.email}`
  const form = useCheckedForm({
    resolver: zodResolver(NewReview),
    defaultValues: {
      name: own?.name ?? profile.name,
      img: own?.img ?? (profile.picture || '/drawings/avatar.svg'), // so that the required picture stops nobody
      about: own?.about ?? '',
      rating: own ? asTyped(own.rating) : '',
      ...keptDraft<Typed>(draft),
    },
  })
  const { register, formState } = form
  const { errors, isSubmitting } = formState
  useDraft(form, draft)
  const typed = useWatch({ control: form.control })

  const submit = form.handleSubmit(async (said) => {
    setRefused(undefined)
    try {
      const posted = await send(postReview, { body: said })
      // After an answer that got lost the review may have been there already: then it has replaced nothing but itself.
      onPosted({ ...posted, replaced: posted.replaced && (own !== null || !outcomeUnknown.current) })
      forgetDraft(draft)
      toast('Review Added Successfully', posted.hidden ? { kind: 'warning', detail: hiddenWords } : {})
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      outcomeUnknown.current = refusal.leavesInDoubt
      setRefused(refusal)
      for (const field of ['name', 'img', 'about', 'rating'] as const)
        if (refusal.errors[field]) form.setError(field, { message: refusal.errors[field] })
      toast(refusal.message, { kind: 'error' })
    }
  })

  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,32rem)_minmax(0,24rem)]">
      <Panel>
        {own && <Earlier review={own} />}
        <form method="post" onSubmit={submit} noValidate={script} className="flex flex-col gap-4">
          <Field
            label="Reviewer Name"
            autoComplete="name"
            required
            hint="Required. Your account's name, unless you want another"
            error={errors.name?.message}
            {...register('name')}
          />
          <Field
            label="Reviewer Image"
            inputMode="url"
            autoComplete="photo"
            autoCapitalize="none"
            spellCheck={false}
            required
            hint="Required. The address of a picture, beginning with https://, or the drawn one"
            error={errors.img?.message}
            {...register('img')}
          />
          <PicturePreview address={typed.img ?? ''} />
          <Field
            label="Say About Our Company"
            rows={5}
            required
            hint="Required. What went well, and what did not"
            error={errors.about?.message}
            {...register('about')}
          />
          <RatingField form={form} />
          {refused && <RefusedReview refusal={refused} />}
          <Button type="submit" busy={isSubmitting} busyWords="Posting">
            Post Review
          </Button>
        </form>
      </Panel>
      <AsPosted typed={typed} bought={own?.bought ?? false} />
    </div>
  )
}

/** Says that there is a review already, before it is lost. */
function Earlier({ review: { hidden } }: { review: OwnReview }) {
  return (
    <Notice
      kind={hidden ? 'warning' : 'info'}
      title={hidden ? 'Your review is hidden by the store' : 'You have written a review already'}
      className="mb-4"
    >
      {hidden
        ? 'Only you and the store can read it. You can change it: it stays hidden until the store brings it back.'
        : 'It stands below. Change it and post it again: each customer has one review, and the new one replaces it.'}
    </Notice>
  )
}

/** The review among the others, while it is written. */
function AsPosted({ typed: { name, img = '', about, rating }, bought }: { typed: Partial<Typed>; bought: boolean }) {
  const [settled] = useSettled(img)
  return (
    <aside aria-labelledby="as-posted" className="flex flex-col gap-4 max-xl:hidden xl:sticky xl:top-6 xl:self-start">
      <h2 id="as-posted" className="text-xl">
        What others read
      </h2>
      {rating ? (
        <ReviewCard
          review={{
            _id: '',
            name: name?.trim() || 'Your name',
            img: NewReview.shape.img.safeParse(settled).data ?? '',
            about: about?.trim() || 'What you say about our company.',
            rating: Number(rating),
            example: false,
            bought,
          }}
        />
      ) : (
        <p className="text-soft">It stands here as soon as you have given a rating.</p>
      )}
    </aside>
  )
}

function RefusedReview({ refusal }: { refusal: Refusal }) {
  if (refusal.status === 401) return <SignInEnded />
  return (
    <Notice kind="error" title={refusal.message} ref={focused}>
      {refusal.leavesInDoubt
        ? 'We do not know whether your review has arrived. What you wrote is kept: post it again, and it will be one review, not two.'
        : 'Nothing was posted, and what you wrote is kept. Mend it and post it again.'}
    </Notice>
  )
}

const hiddenWords = 'The store has hidden your review, so only you and the store can read it until the store brings it back.'

function Posted({ review }: { review: PostedReview }) {
  const { hidden, replaced, bought } = review
  return (
    <>
      <Notice
        kind={hidden ? 'warning' : 'success'}
        title="Review Added Successfully"
        ref={focused}
        action={
          <ButtonLink to="/#reviews" look="quiet">
            See all reviews
          </ButtonLink>
        }
      >
        Thank you. {replaced && 'It has replaced your earlier review. '}
        {hidden
          ? hiddenWords
          : bought
            ? 'This is how it stands on the home page, first among the reviews.'
            : 'This is how it stands on the home page, first among the reviews of those who have not bought here yet.'}
      </Notice>
      <h2 className="text-xl">Your review</h2>
      <ReviewCard review={review} />
    </>
  )
}
