/* SPDX-License-Identifier: MIT */
/**
 * Finds the impact law that an engine follows, or the mistake that explains its impacts. Each law,
 * combined with each fault model, predicts the impacts of the probes. A mistake of unknown size
 * (friction times a factor) is fitted.
 */
#ifndef IC_AUDIT_ENGINE_FAULT_MODELS_H
#define IC_AUDIT_ENGINE_FAULT_MODELS_H

#include "audit/common/finding.h"
#include "audit/engine/engine_probes.h"

/**
 * Classifies the impacts of the probes. The best law is decided if it fits and no other law fits as
 * well.
 */
void ic_engine_classify(ic_classification *c, const ic_engine_probe probes[IC_ENGINE_PROBES]);

/** The explanation of impacts that follow no law. */
typedef struct ic_engine_explanation {
    /* IC_NO_MISTAKE: no mistake explains them, or several do equally well. */
    ic_mistake_id mistake;

    /* root mean square of the remaining deviation, 1 */
    double misfit;

    /*
     * "newton with the coefficient of friction times 0.5", or the reason for which there is no
     * explanation.
     */
    char text[160];

    /* the law, the fault model and its factor: for ic_engine_explains */
    size_t law;
    int model;
    double factor;
} ic_engine_explanation;

/** Whether the explanation gives this impact, too, to within `agrees`. */
bool ic_engine_explains(const ic_engine_explanation *explanation, const ic_engine_probe *probe, double agrees);

/**
 * The law that explains the impacts with the coefficients of the probes, without a mistake; its
 * misfit tells how well.
 */
ic_engine_explanation ic_engine_nearest_law(const ic_engine_probe probes[IC_ENGINE_PROBES]);

/**
 * Finds the mistake that explains the impacts. `unexplained`: root mean square of the deviation
 * from the nearest law; `agrees`: a deviation that counts as agreement.
 */
ic_engine_explanation ic_engine_explain(const ic_engine_probe probes[IC_ENGINE_PROBES], double unexplained,
                                        double agrees);

#endif
