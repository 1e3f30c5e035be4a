(* SPDX-License-Identifier: MIT

   Polynomials with integer coefficients, on which Coq computes exactly: [a0; a1; a2] is
   a0 + a1 x + a2 x^2. *)
From Coq Require Export ZArith List.
From Impactcheck Require Export calculus.
Export ListNotations.

Fixpoint value (p : list Z) (x : R) : R :=
  match p with [] => 0 | a :: q => IZR a + x * value q x end.

Fixpoint add (p q : list Z) : list Z :=
  match p, q with
  | [], _ => q
  | _, [] => p
  | a :: p', b :: q' => (a + b)%Z :: add p' q'
  end.

Definition scale (a : Z) : list Z -> list Z := map (Z.mul a).

(* (a + x q)' = q + x q' *)
Fixpoint derivative (p : list Z) : list Z :=
  match p with [] => [] | _ :: q => add q (0%Z :: derivative q) end.

(* The sum of |a_n| bounds the polynomial for 0 <= x <= 1. *)
Fixpoint size (p : list Z) : Z :=
  match p with [] => 0%Z | a :: q => (Z.abs a + size q)%Z end.

Lemma value_add p q x : value (add p q) x = value p x + value q x.
Proof.
  revert q; induction p as [|a p IH]; intros [|b q]; simpl; try lra.
  rewrite IH, plus_IZR; ring.
Qed.

Lemma value_scale a p x : value (scale a p) x = IZR a * value p x.
Proof. induction p as [|b p IH]; simpl; [|rewrite IH, mult_IZR]; ring. Qed.

Lemma value_derivative p x : is_derive (value p) x (value (derivative p) x).
Proof.
  induction p as [|a q IH]; simpl.
  - auto_derive; auto.
  - auto_derive.
    + now exists (value (derivative q) x).
    + assert (E : Derive (fun y : R => value q y) x = value (derivative q) x)
        by exact (is_derive_unique _ _ _ IH).
      rewrite E, value_add; simpl; ring.
Qed.

Lemma value_size p x : 0 <= x <= 1 -> Rabs (value p x) <= IZR (size p).
Proof.
  intros Hx; induction p as [|a q IH]; simpl.
  - rewrite Rabs_R0; lra.
  - rewrite plus_IZR, abs_IZR.
    apply Rle_trans with (1 := Rabs_triang _ _).
    rewrite Rabs_mult, (Rabs_pos_eq x) by lra.
    pose proof (Rabs_pos (value q x)). nra.
Qed.
