/* SPDX-License-Identifier: MIT */
/**
 * Dormand-Prince 5(4) with dense output by Boost.Odeint, under the common event loop.
 *
 * K. Ahnert, M. Mulansky, Odeint - solving ordinary differential equations in C++, AIP Conf. Proc.
 * 1389 (2011) 1586-1589.
 *
 * The package steps and interpolates, but has no events. A step is not searched if all guards stay
 * clear of zero on the cubics through their values and rates at both ends. Otherwise every root of
 * a guard along the interpolant, which is of degree 5 and order 4, is isolated
 * (core/step_events.h), and the first one is located by ITP. The state at an event is that of the
 * interpolant, as for users of the dense stepper; so is the state at a time event, over which the
 * package steps. All clauses of the event contract are kept.
 *
 * The error of a step, which is rtol, is of order h^6, but that of the interpolant, of order 4, is
 * of order h^5. Therefore an error e requires rtol = e^(6/5), which is e/100 at e = 1e-10.
 *
 * Steps are controlled by the largest error of a state, in units of rtol (scale_j + |x_j|) with the
 * case's scale of the state. Each phase begins with a short step. The event that ends a step is
 * located on its interpolant; a long first step could carry errors from beyond that event, where
 * the flow of the phase is meaningless (a thin layer that the stages jump over), into the state at
 * the event.
 */
extern "C" {
#include "core/cubic.h"
#include "core/event_loop.h"
#include "core/model.h"
#include "core/step_events.h"
#include "core/tunings.h"
#include "impactcheck/impactcheck.h"
}

#include <algorithm>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/dense_output_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cfloat>
#include <cmath>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

namespace {

namespace odeint = boost::numeric::odeint;
using state = std::vector<double>;
using dopri5 = odeint::runge_kutta_dopri5<state>;

constexpr int interpolant_degree = 5;
constexpr int nodes = IC_STEP_MOST_NODES; /* guards need not be affine in the state */
/* Calls of the flow per attempted step. */
constexpr double stages = 6;
/*
 * The first step is this fraction of the typical time; the package lengthens it by factors of up to
 * 5.
 */
constexpr double first_step = 1e-3;

/* Thrown if the flow is not finite, since the step control cannot handle errors that are NAN. */
struct not_finite {};

class error_checker {
  public:
    error_checker(double rtol, const double *scale) : rtol_(rtol), scale_(scale)
    {
    }

    template <class Algebra, class Error>
    double error(Algebra & /*algebra*/, const state &x, const state & /*slope*/, const Error &e,
                 double /*h*/) const
    {
        double worst = 0;
        for (std::size_t j = 0; j < x.size(); j++) {
            worst = std::max(worst, std::abs(e[j]) / (rtol_ * (scale_[j] + std::abs(x[j]))));
        }
        return worst;
    }

  private:
    double rtol_;
    const double *scale_;
};

using controlled = odeint::controlled_runge_kutta<dopri5, error_checker>;
using dense = odeint::dense_output_runge_kutta<controlled>;

struct workspace {
    workspace(std::size_t n, const ic_options &options_, const double *scale_, double first_)
        : options(options_), x(n), x0(n), x1(n), scratch(n), first(first_),
          stepper(controlled(error_checker(options.rtol, scale_), controlled::step_adjuster_type(options.step)))
    {
    }
    ic_options options;
    const ic_phase *phase = nullptr;
    state x, x0, x1, scratch;
    double first; /* the first step of a phase */
    dense stepper;

    void operator()(const state &at, state &slope, double t) const
    {
        ic_phase_flow(phase, slope.data(), t, at.data());
        for (const double f : slope) {
            if (!std::isfinite(f)) throw not_finite();
        }
    }
};

void interpolate(void *self, double t, double *x)
{
    workspace *w = static_cast<workspace *>(self);
    w->stepper.calc_state(t, w->x);
    std::copy(w->x.begin(), w->x.end(), x);
}

ic_status begin_phase(void *self, ic_phase *phase)
{
    workspace *w = static_cast<workspace *>(self);
    w->phase = phase;
    std::copy(phase->x, phase->x + phase->n, w->x.begin());
    w->stepper.initialize(w->x, phase->t, w->first);
    return IC_OK;
}

/*
 * Take a step. The package itself retries with shorter steps; a step whose stages leave the domain
 * of the flow is restarted here.
 */
ic_status take_step(workspace *w)
{
    const double t = w->stepper.current_time();
    ic_work *work = w->phase->work;
    for (double h = w->stepper.current_time_step();;) {
        const double calls = work->flow_calls;
        try {
            w->stepper.do_step(std::cref(*w));
            work->steps++;
            work->rejected_steps += std::floor((work->flow_calls - calls) / stages) - 1;
            return IC_OK;
        } catch (const not_finite &) {
            work->rejected_steps++;
            h /= 5;
            if (!(t + h > t + 2 * DBL_EPSILON * std::abs(t))) return IC_NOT_FINITE;
            w->x = w->stepper.current_state();
            w->stepper.initialize(w->x, t, h);
        }
    }
}

/* Find the first event between phase->t and `end`. */
ic_status find_first_event(workspace *w, ic_phase *phase, double end, double *t)
{
    phase->fired = -1;
    std::copy(phase->x, phase->x + phase->n, w->x0.begin());
    if (end == w->stepper.current_time()) w->x1 = w->stepper.current_state();
    else interpolate(w, end, w->x1.data());
    if (ic_guards_stay_clear(phase, phase->t, w->x0.data(), end, w->x1.data())) return IC_OK;
    ic_step step = {};
    step.t0 = phase->t;
    step.t1 = end;
    step.x0 = w->x0.data();
    step.x1 = w->x1.data();
    step.interpolate = interpolate;
    step.self = w;
    step.scratch = w->scratch.data();
    step.nodes = nodes;
    step.narrow = ic_narrow_by_itp;
    return ic_step_first_event(phase, &step, t);
}

ic_status advance_by_steps(workspace *w, ic_phase *phase)
{
    while (phase->t < phase->t_stop) {
        double t = 0;
        if (phase->work->steps + phase->work->rejected_steps > phase->options->max_steps)
            return IC_TOO_MUCH_WORK;
        ic_status status = take_step(w);
        if (status != IC_OK) return status;
        const double end = std::min(w->stepper.current_time(), phase->t_stop);
        status = find_first_event(w, phase, end, &t);
        if (status != IC_OK || (phase->fired >= 0 && t <= phase->t)) return status;
        if (phase->fired < 0) t = end;
        status = ic_phase_observe(phase, phase->t, t, interpolant_degree, interpolate, w);
        if (phase->fired >= 0) interpolate(w, t, phase->x);
        else std::copy(w->x1.begin(), w->x1.end(), phase->x);
        phase->t = t;
        if (status != IC_OK || phase->fired >= 0) return status;
    }
    phase->fired = -1;
    return IC_OK;
}

/* Exceptions must not pass through the common event loop, which is C. */
ic_status advance_phase(void *self, ic_phase *phase)
{
    try {
        return advance_by_steps(static_cast<workspace *>(self), phase);
    } catch (const std::bad_alloc &) {
        return IC_NO_MEMORY;
    } catch (const std::runtime_error &error) { /* odeint::step_adjustment_error and similar */
        ic_log_message(phase->log, "Boost.Odeint at t = %.17g: %s", phase->t, error.what());
        return IC_STEP_TOO_SMALL;
    }
}

ic_status solve_dopri5(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    static const ic_method method = {begin_phase, advance_phase, true};
    try {
        const std::size_t n = problem->system->n_states;
        state scale(n);
        ic_state_scales(problem, scale.data());
        workspace w(n, ic_options_resolved(problem, options), scale.data(),
                    first_step * ic_time_scale(problem));
        return ic_event_loop(log, problem, options, &method, &w);
    } catch (const std::bad_alloc &) {
        return IC_NO_MEMORY;
    }
}

} // namespace

extern "C" {
extern const ic_solver ic_solver_odeint_dopri5;
extern const ic_tuning ic_tunings_odeint_dopri5[];
const ic_solver ic_solver_odeint_dopri5 = {
    IC_ABI_VERSION,
    sizeof(ic_solver),
    "odeint_dopri5",
    "Boost.Odeint: Dormand-Prince 5(4), dense output of order 4, under the common event loop",
    "Ahnert & Mulansky 2011; Dormand & Prince 1980",
    IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,
    5,
    IC_CONTROL_RTOL,
    nullptr,
    false,
    0,
    0.01,
    solve_dopri5,
};
const ic_tuning ic_tunings_odeint_dopri5[] = {{nullptr, nullptr}};
}
