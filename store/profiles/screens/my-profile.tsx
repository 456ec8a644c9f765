import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { showVerification } from '#store/identity/contract.ts'
import { SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import { VerifyOwnEmail } from '#store/identity/screens/verify-own-email.tsx'
import { type Profile, profileForm, saveProfile } from '#store/profiles/contract.ts'
import { useAccount } from '#web/account.ts'
import { AskBeforeLeaving } from '#web/ask-before-leaving.tsx'
import { Button } from '#web/button.tsx'
import { useCheckedForm } from '#web/checked-form.ts'
import { forgetDraft, keptDraft, useDraft } from '#web/draft.ts'
import { Fact, Facts } from '#web/facts.tsx'
import { Field } from '#web/field.tsx'
import { focused } from '#web/focused.ts'
import { useScript } from '#web/form.ts'
import { LongWord } from '#web/long-word.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { Portrait } from '#web/portrait.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { Status } from '#web/status.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { When } from '#web/when.tsx'
import type { Route } from './+types/my-profile'
import { ownProfile } from './own-profile.ts'
import { PicturePreview } from './picture-preview.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'My Profile | Nucleus of PC' }]

export async function clientLoader() {
  const [profile, { verified }] = await Promise.all([ownProfile(), send(showVerification, {})])
  return { profile, verified }
}

export default function MyProfile({ loaderData: { profile, verified } }: Route.ComponentProps) {
  return (
    <Page title="My Profile" wide>
      <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,24rem)_minmax(0,32rem)]">
        <div className="flex flex-col gap-6 xl:sticky xl:top-6 xl:self-start">
          <ProfileCard profile={profile} verified={verified} />
          {!verified && <VerifyOwnEmail email={profile.email} />}
        </div>
        <ProfileForm profile={profile} />
      </div>
    </Page>
  )
}

function ProfileCard({ profile, verified }: { profile: Profile; verified: boolean }) {
  return (
    <Panel as="section" aria-labelledby="whose" className="flex flex-col gap-4 sm:p-6">
      <div className="flex items-center gap-4">
        <Portrait src={profile.picture} size={96} />
        <h2 id="whose" className="min-w-0 text-xl">
          <Told>{profile.name}</Told>
        </h2>
      </div>
      <Facts>
        <Fact name="E-mail">
          <LongWord>{profile.email}</LongWord> {verified && <Status kind="good">Verified</Status>}
        </Fact>
        <Fact name="Phone">
          <Told>{profile.phone}</Told>
        </Fact>
        <Fact name="Education">
          <Told>{profile.education}</Told>
        </Fact>
        <Fact name="Location">
          <Told>{profile.location}</Told>
        </Fact>
        <Fact name="LinkedIn profile">
          <Told>
            {profile.linkedIn && (
              <TextLink to={profile.linkedIn} rel="noreferrer" className="wrap-anywhere">
                <LongWord>{profile.linkedIn.replace(/^https?:\/\//, '')}</LongWord>
              </TextLink>
            )}
          </Told>
        </Fact>
      </Facts>
    </Panel>
  )
}

function Told({ children }: { children: ReactNode }) {
  return children || <span className="font-normal text-soft">Not provided yet</span>
}

const told = ({ picture, education, location, phone, linkedIn }: Profile) => ({ picture, education, location, phone, linkedIn })
const fields = ['picture', 'education', 'location', 'phone', 'linkedIn'] as const

function ProfileForm({ profile }: { profile: Profile }) {
  const { name, email } = profile
  const { revalidate } = useRevalidator()
  const [savedAt, setSavedAt] = useState<string>()
  const signedIn = useAccount() !== null
  const script = useScript()
  const [refused, setRefused] = useState<Refusal>()
  const draft = `profile ${email}`
  const form = useCheckedForm({
    resolver: zodResolver(profileForm),
    defaultValues: { ...told(profile), ...keptDraft<z.input<typeof profileForm>>(draft) },
  })
  const { register, handleSubmit, setError, getValues, setValue, control } = form
  const { errors, isSubmitting } = form.formState
  useDraft(form, draft)

  const typed = useWatch({ control })
  const unsaved = fields.some((field) => typed[field] !== profile[field])
  useEffect(() => {
    if (!unsaved) forgetDraft(draft)
  }, [unsaved, draft])

  const submit = handleSubmit(async (said) => {
    setRefused(undefined)
    const asTyped = getValues()
    try {
      const kept = await send(saveProfile, { params: { email }, body: { name, email, ...said } })
      // The server may have completed a link; what was typed on meanwhile stays.
      for (const field of fields) if (getValues(field) === asTyped[field]) setValue(field, kept[field])
      toast('Profile saved')
      await revalidate() // the card above shows what the store has kept
      setSavedAt(new Date().toISOString())
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      setRefused(refusal)
      for (const field of fields) if (refusal.errors[field]) setError(field, { message: refusal.errors[field] })
      toast(refusal.message, { kind: 'error' })
    }
  })

  return (
    <Panel className="sm:p-6">
      <form method="post" onSubmit={submit} noValidate={script} aria-labelledby="update" className="flex flex-col gap-4">
        <h2 id="update" className="text-xl">
          Update your profile
        </h2>
        <p className="text-soft">
          Picture, location and phone are needed, education and LinkedIn may stay empty. Only you and the admins of the store see your
          profile. Your name and picture are suggested to you when you write a review.
        </p>
        <Field label="Name" value={name} readOnly hint="Name and e-mail are your account's" />
        <Field label="E-mail" value={email} readOnly />
        <Field
          label="Image URL (required)"
          required
          inputMode="url"
          autoComplete="photo"
          autoCapitalize="none"
          spellCheck={false}
          hint="The address of a picture of you, beginning with https://"
          error={errors.picture?.message}
          {...register('picture')}
        />
        <PicturePreview address={typed.picture ?? ''} />
        <Field
          label="Education (optional)"
          autoComplete="off"
          hint="A school, a degree or a trade"
          error={errors.education?.message}
          {...register('education')}
        />
        <Field
          label="Location (required)"
          required
          autoComplete="off"
          hint="Town and country"
          error={errors.location?.message}
          {...register('location')}
        />
        <Field
          label="Phone (required)"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          required
          hint="Digits, best with country code, like +1 555 010 0199"
          error={errors.phone?.message}
          {...register('phone')}
        />
        <Field
          label="LinkedIn profile link (optional)"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="Like linkedin.com/in/your-name"
          error={errors.linkedIn?.message}
          {...register('linkedIn')}
        />
        {refused && <RefusedProfile refusal={refused} />}
        {savedAt && !unsaved && !refused && (
          <Notice key={savedAt} kind="success" title="Profile saved" ref={focused}>
            Saved on <When at={savedAt} />. The card above shows it.
          </Notice>
        )}
        <Button type="submit" busy={isSubmitting} busyWords="Saving">
          Update Profile
        </Button>
        {/* Who goes to sign in again, or has signed out, finds the draft on coming back. */}
        <AskBeforeLeaving unsaved={unsaved && signedIn && refused?.status !== 401} onLeave={() => forgetDraft(draft)} />
      </form>
    </Panel>
  )
}

function RefusedProfile({ refusal }: { refusal: Refusal }) {
  if (refusal.status === 401) return <SignInEnded />
  return (
    <Notice kind="error" title={refusal.message} ref={focused}>
      What you typed is kept.{' '}
      {refusal.leavesInDoubt
        ? 'Press Update Profile again: saving the same twice does no harm.'
        : 'Mend it and press Update Profile again.'}
    </Notice>
  )
}
